// All payments: found by svc_uid, by order and by customer_uid, and listed by status (§4.5). The payments that it
// returns are copies; `change` stores a change.

import { randomInt } from 'node:crypto';
import { HttpError } from '../http/answer';
import type { DataFolder } from '../state/data-folder';
import { MAX_RECORDS, type Range } from '../state/storage/ordered-list';
import { createRecordTable, type Layout } from '../state/storage/record-table';
import { PAYMENT_STATUSES, type Payment } from './payment';
import { createPaymentLists, type SortTime, type StatusFilter, type TimeField } from './payment-lists';
import { paymentRecord } from './payment-record';

type Fixed = 'sequence' | 'svcUid' | 'customerUid' | 'startedAt' | 'sandbox';
type PaymentPage = { total: number; payments: Payment[] };

export type PaymentStore = {
  add(payment: Omit<Payment, 'sequence' | 'svcUid' | 'sandbox'>): Payment;
  /** Stores the change and applies it to the given copy. */
  change(payment: Payment, change: Partial<Omit<Payment, Fixed>>): void;
  find(svcUid: string): Payment | undefined;
  /** The payments of one merchant_uid, the newest first (§4.9). */
  ofOrder(merchantUid: string): Payment[];
  /** The payments with a billing key, the newest first (§4.6). */
  ofCustomer(query: CustomerQuery, skip: number, limit: number): PaymentPage;
  byStatus(query: StatusQuery, skip: number, limit: number): PaymentPage;
  count(): number;
  /** The record of §2.4. */
  recordOf(payment: Payment): ReturnType<typeof paymentRecord>;
  clear(): void;
  close(): void;
};

/** Payments of test channels are left out unless they are included (§4.4). */
type CustomerQuery = { customerUid: string; includeSandbox: boolean };
type StatusQuery = Range & {
  filter: StatusFilter;
  sort: SortTime;
  newestFirst: boolean;
  includeSandbox: boolean;
};

const LAYOUT: Layout<Payment, 'svcUid' | 'merchantUid' | 'customerUid', 'status' | 'sandbox' | TimeField> = {
  ids: ['svcUid', 'merchantUid', 'customerUid'],
  columns: {
    status: PAYMENT_STATUSES,
    startedAt: 'number',
    paidAt: 'number',
    failedAt: 'number',
    cancelledAt: 'number',
    updatedAt: 'number',
    sandbox: 'flag',
  },
  empty: {
    name: null,
    embPgProvider: null,
    card: null,
    cardQuota: 0,
    taxFree: 0,
    virtualAccountUntil: 0,
    buyer: null,
    customData: null,
    escrow: false,
    cashReceiptIssued: false,
    customerUid: null,
    customerUidUsage: null,
    noticeUrls: [],
    failReason: null,
    cancellations: [],
  },
};

/**
 * Stored in two files of `folder`, or in memory only if it is undefined. `paymentId` turns digits into a svc_uid;
 * `isTestChannel` says whether payments are made through a test channel now. `newDigits` chooses the twelve digits of a
 * svc_uid: more digits could look like a card number and would be masked in logs. Receipts are below `receiptsUrl`.
 */
export function createPaymentStore(
  folder: DataFolder | undefined,
  paymentId: (digits: number) => string,
  isTestChannel: () => boolean = () => false,
  newDigits: () => number = () => randomInt(1e11, 1e12),
  receiptsUrl = '',
): PaymentStore {
  const table = createRecordTable(folder, 'payments', LAYOUT);
  const statusColumn = table.column('status');
  const sandboxColumn = table.column('sandbox');
  const isSandbox = (record: number) => sandboxColumn(record) === 1;
  const lists = createPaymentLists({
    statusOf: (record) => PAYMENT_STATUSES[statusColumn(record)] ?? 'failed',
    isSandbox,
    times: table.column,
  });
  lists.rebuild(table.count());

  const find = (svcUid: string) =>
    table
      .find('svcUid', svcUid)
      .map(table.read)
      .find((payment) => payment.svcUid === svcUid);

  // Random, not a counter: the merchant's database may hold payments from before a reset, and ids must stay unique.
  function newSvcUid(): string {
    const svcUid = paymentId(newDigits());
    return find(svcUid) ? newSvcUid() : svcUid;
  }

  return {
    find,
    add(draft) {
      if (table.count() >= MAX_RECORDS)
        throw new HttpError(507, `the sandbox holds at most ${MAX_RECORDS} payments`);
      const payment = table.add({ svcUid: newSvcUid(), sandbox: isTestChannel(), ...draft });
      lists.add(payment.sequence);
      return payment;
    },
    change(payment, change) {
      lists.remove(payment.sequence);
      try {
        table.change(payment, change);
      } finally {
        lists.add(payment.sequence);
      }
    },
    ofOrder: (merchantUid) =>
      table
        .find('merchantUid', merchantUid)
        .map(table.read)
        .filter((payment) => payment.merchantUid === merchantUid),
    ofCustomer({ customerUid, includeSandbox }, skip, limit) {
      const all = table.find('customerUid', customerUid);
      const records = includeSandbox ? all : all.filter((record) => !isSandbox(record));
      return { total: records.length, payments: records.slice(skip, skip + limit).map(table.read) };
    },
    byStatus({ filter, sort, ...query }, skip, limit) {
      const { total, records } = lists.of(filter, sort).page(query, skip, limit);
      return { total, payments: records.map(table.read) };
    },
    count: table.count,
    recordOf: (payment) => paymentRecord(payment, receiptsUrl),
    clear() {
      table.clear();
      lists.rebuild(0);
    },
    close: table.close,
  };
}

/** Throws the 404 of §4.4 if the payment is unknown or hidden. */
export function getPayment(
  payments: PaymentStore,
  svcUid: string | undefined,
  isShown: (payment: Payment) => boolean = () => true,
): Payment {
  const payment = svcUid === undefined ? undefined : payments.find(svcUid);
  if (!payment || !isShown(payment)) throw new HttpError(404, 'svc_uid: no such payment');
  return payment;
}
