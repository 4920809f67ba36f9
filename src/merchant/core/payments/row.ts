// The table of payments, and how a fetched record fills its columns: the SQL of verdict-store.ts is built from it too.

import { z } from 'zod';
import { PaymentStatus, Prisma, type Payment } from '../../../generated/prisma/client';
import type { PaymentRecord } from '../../payment-service/records/payment-record';
import { TO_NULL, toColumnName } from '../../platform/personal-data';
import { column, count, describeRow, hidden, text, time, type Lines } from '../../platform/row';

/** A record that fits its order, as it is stored. */
export type VerifiedPayment = {
  record: PaymentRecord;
  status: PaymentStatus;
  currency: string;
  /** False if the payment does not pay for its order. */
  counted: boolean;
};

type Filled = { value: (payment: VerifiedPayment, fetchedAt: Date) => unknown };

type TextField = {
  [Field in keyof PaymentRecord]: PaymentRecord[Field] extends string | null ? Field : never;
}[keyof PaymentRecord];

/** A descriptive text, cut to the width of its column. `record` has the whole text. */
function cut(field: NonNullable<TextField>, width: number): Filled {
  return { value: ({ record }) => record[field]?.slice(0, width) ?? null };
}

const optional = text.nullable();
const at = time.nullable();
const status = z.enum(PaymentStatus).meta({
  description:
    'The status of the service: `cancelled` also after a partial refund. Compare `cancel_amount` with `amount`, or read the status of the order.',
});
const refunded = count.describe('The refunded amount.');
const masked = optional.describe('Masked.');
const bank = optional.describe('Bank of the virtual account into which the buyer pays.');
const account = optional.describe('Number of that account.');
const deadline = at.describe('The deadline of the deposit.');
const counted = z.boolean().describe('False if the payment does not pay for its order.');
const regressedAt = at.describe(
  'Since when the payment service has shown less than this; null while it does not.',
);
const record = z
  .record(z.string(), z.unknown())
  .describe('The whole fetched record (§2.4), under the document’s names.');

// The examples show order-1001, which was paid with the first card of member-7.
const IDS = { svc_uid: 'svc_20261121a7f3', merchant_uid: 'order-1001' };
export const PAID_AT = '2026-11-21T09:00:00.000Z';
const SHORT_RECORD = {
  ...IDS,
  status: 'paid',
  amount: 12_000,
  card_code: '367',
  card_type: '0',
  paid_at: Date.parse(PAID_AT) / 1000,
  cash_receipt_issued: false,
};

const FILLED = {
  status: { value: (payment) => payment.status, ...column('stays', status, 'paid') },
  amount: { value: (payment) => payment.record.amount, ...column('stays', count, 12_000) },
  cancelAmount: { value: (payment) => payment.record.cancelAmount, ...column('stays', refunded, 0) },
  currency: { value: (payment) => payment.currency, ...column('stays', text, 'KRW') },
  payMethod: { ...cut('payMethod', 32), ...column('stays', optional, 'card') },
  pgProvider: { ...cut('pgProvider', 32), ...column('stays', optional, 'nice') },
  pgTid: { ...cut('pgTid', 64), ...column('stays', optional, 'nice_mid_20261121a7f3') },
  applyNum: { ...cut('applyNum', 20), ...column('stays', optional, '55384589') },
  cardName: { ...cut('cardName', 64), ...column('stays', optional, '현대카드') },
  cardNumber: { ...cut('cardNumber', 32), ...column(TO_NULL, masked, '4242-42**-****-4242') },
  customerUid: { ...cut('customerUid', 80), ...column('stays', optional, 'member-7-card-1') },
  failReason: { ...cut('failReason', 500), ...column(TO_NULL, optional, null) },
  cancelReason: { ...cut('cancelReason', 256), ...column('typed', optional, null) },
  receiptUrl: {
    ...cut('receiptUrl', 500),
    ...column('stays', optional, `https://receipt.example/${IDS.svc_uid}`),
  },
  startedAt: { value: (payment) => payment.record.startedAt, ...column('stays', at, PAID_AT) },
  paidAt: { value: (payment) => payment.record.paidAt, ...column('stays', at, PAID_AT) },
  failedAt: { value: (payment) => payment.record.failedAt, ...column('stays', at, null) },
  cancelledAt: { value: (payment) => payment.record.cancelledAt, ...column('stays', at, null) },
  vbankCode: { ...cut('vbankCode', 16), ...column('stays', bank, null) },
  vbankName: { ...cut('vbankName', 64), ...column('stays', optional, null) },
  // The account belongs to one buyer, and the holder may be the buyer.
  vbankNum: { ...cut('vbankNum', 32), ...column(TO_NULL, account, null) },
  vbankHolder: { ...cut('vbankHolder', 64), ...column(TO_NULL, optional, null) },
  vbankDate: { value: (payment) => payment.record.vbankDate, ...column('stays', deadline, null) },
  counted: { value: (payment) => payment.counted, ...column('stays', counted, true) },
  fetchedAt: { value: (_, fetchedAt) => fetchedAt, ...column('stays', time, '2026-11-21T09:00:01.204Z') },
  regressedAt: { value: () => null, ...column('stays', regressedAt, null) },
  record: { value: (payment) => payment.record.raw, ...column('fields', record, SHORT_RECORD) },
} satisfies Partial<Record<keyof Payment, Filled>>;

export const paymentRow = describeRow({
  svcUid: column('stays', text, IDS.svc_uid),
  merchantUid: column('stays', text, IDS.merchant_uid),
  ...FILLED,
  createdAt: hidden('stays'),
  updatedAt: hidden('stays'),
  // A record is an object, which the type of the column does not say.
} satisfies Lines<Omit<Payment, 'record'> & { record: Record<string, unknown> }>);

const COLUMNS = Object.entries<Filled>(FILLED).map(([field, { value }]) => ({
  name: toColumnName(field),
  value,
}));
const listed = (each: (name: string) => string) =>
  Prisma.raw(COLUMNS.map(({ name }) => each(name)).join(', '));

/** `status, amount, …` */
export const columnNames = listed((name) => name);
/** `status = excluded.status, …` */
export const columnsFromExcluded = listed((name) => `${name} = excluded.${name}`);

/** The values of one row, by column name. Null columns are omitted. */
export function toColumns(payment: VerifiedPayment, fetchedAt: Date): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, value } of COLUMNS) {
    const each = value(payment, fetchedAt);
    if (each !== null) values[name] = each;
  }
  return values;
}
