// How a payment lies in the saved state: what is sorted, searched or often changed as numbers in columns, the rest as
// one row of JSON without its nulls.
import type { ColumnStore } from '../state/column-store';
import { fingerprint } from '../state/fingerprint';
import type { RowStore } from '../state/row-store';
import type { Payment, PaymentStatus } from './payment';

export const FLOAT = { rowOffset: 0, svcUid: 1, merchantUid: 2, customerUid: 3 } as const;
export const WORD = {
  rowLength: 0,
  status: 1,
  startedAt: 2,
  paidAt: 3,
  failedAt: 4,
  cancelledAt: 5,
  updatedAt: 6,
} as const;

const STATUSES: readonly PaymentStatus[] = ['ready', 'paid', 'cancelled', 'failed'];
const TIMES = ['startedAt', 'paidAt', 'failedAt', 'cancelledAt', 'updatedAt'] as const;
const IN_COLUMNS = new Set<string>(['sequence', 'status', ...TIMES]);

/** What a row leaves out. */
const BLANK = {
  name: null,
  card: null,
  cardQuota: 0,
  virtualAccountUntil: 0,
  buyer: null,
  customData: null,
  customerUid: null,
  customerUidUsage: null,
  noticeUrls: [],
  failReason: null,
  cancellations: [],
};
type Row = Omit<Payment, keyof typeof BLANK> & Partial<Payment>;

/** Writes the payment's columns, and a new row unless only columns changed. */
export function writePayment(columns: ColumnStore, rows: RowStore, payment: Payment, withRow: boolean) {
  const record = payment.sequence;
  if (withRow) {
    const row = Buffer.from(`${JSON.stringify(detailsOf(payment))}\n`);
    columns.setFloat(record, FLOAT.rowOffset, rows.append(row));
    columns.setWord(record, WORD.rowLength, row.length);
  }
  columns.setFloat(record, FLOAT.svcUid, fingerprint(payment.svcUid));
  columns.setFloat(record, FLOAT.merchantUid, fingerprint(payment.merchantUid));
  columns.setFloat(
    record,
    FLOAT.customerUid,
    payment.customerUid === null ? 0 : fingerprint(payment.customerUid),
  );
  columns.setWord(record, WORD.status, STATUSES.indexOf(payment.status));
  for (const time of TIMES) columns.setWord(record, WORD[time], payment[time]);
  columns.write(record);
}

/** Written out field by field: the same by spreading takes ten times as long, and a page has a thousand. */
export function readPayment(columns: ColumnStore, rows: RowStore, record: number): Payment {
  const text = rows.read(columns.float(record, FLOAT.rowOffset), columns.word(record, WORD.rowLength));
  const row = JSON.parse(text) as Row;
  return {
    sequence: record,
    svcUid: row.svcUid,
    merchantUid: row.merchantUid,
    amount: row.amount,
    currency: row.currency,
    name: row.name ?? BLANK.name,
    payMethod: row.payMethod,
    channel: row.channel,
    pgProvider: row.pgProvider,
    pgId: row.pgId,
    card: row.card ?? BLANK.card,
    cardQuota: row.cardQuota ?? BLANK.cardQuota,
    virtualAccountUntil: row.virtualAccountUntil ?? BLANK.virtualAccountUntil,
    buyer: row.buyer ?? BLANK.buyer,
    customData: row.customData ?? BLANK.customData,
    customerUid: row.customerUid ?? BLANK.customerUid,
    customerUidUsage: row.customerUidUsage ?? BLANK.customerUidUsage,
    noticeUrls: row.noticeUrls ?? BLANK.noticeUrls,
    status: statusOf(columns, record),
    failReason: row.failReason ?? BLANK.failReason,
    cancellations: row.cancellations ?? BLANK.cancellations,
    startedAt: columns.word(record, WORD.startedAt),
    paidAt: columns.word(record, WORD.paidAt),
    failedAt: columns.word(record, WORD.failedAt),
    cancelledAt: columns.word(record, WORD.cancelledAt),
    updatedAt: columns.word(record, WORD.updatedAt),
  };
}

export function statusOf(columns: ColumnStore, record: number): PaymentStatus {
  return STATUSES[columns.word(record, WORD.status)] ?? 'failed';
}

/** Whether a change touches more than columns. */
export const touchesRow = (change: object) => Object.keys(change).some((field) => !IN_COLUMNS.has(field));

function detailsOf(payment: Payment) {
  const details = Object.entries(payment).filter(
    ([name, value]) => !IN_COLUMNS.has(name) && !(name in BLANK && isBlank(value)),
  );
  return Object.fromEntries(details);
}

function isBlank(value: unknown): boolean {
  return value === null || value === 0 || (Array.isArray(value) && value.length === 0);
}
