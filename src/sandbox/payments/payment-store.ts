// All payments: found by svc_uid, by order and by customer_uid, listed by status (§4.5). Payments are handed out as
// copies of what is stored; `change` writes.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { Refusal } from '../http/answer';
import { createColumnStore } from '../state/column-store';
import { fingerprint } from '../state/fingerprint';
import { MOST_RECORDS, type Range } from '../state/ordered-list';
import { createRecordIndex } from '../state/record-index';
import { createRowStore } from '../state/row-store';
import type { Payment } from './payment';
import { FLOAT, readPayment, touchesRow, writePayment } from './payment-columns';
import { createPaymentLists, type SortTime, type StatusFilter } from './payment-lists';

type Fixed = 'sequence' | 'svcUid' | 'customerUid' | 'startedAt';
export type PaymentChange = Partial<Omit<Payment, Fixed>>;
export type PaymentPage = { total: number; payments: Payment[] };
export type StatusQuery = Range & { filter: StatusFilter; sort: SortTime; newestFirst: boolean };

export type PaymentStore = {
  add(payment: Omit<Payment, 'sequence' | 'svcUid'>): Payment;
  /** Writes the change and applies it to the given copy as well. */
  change(payment: Payment, change: PaymentChange): void;
  find(svcUid: string): Payment | undefined;
  /** Several payments can carry one merchant_uid; the newest first. */
  ofOrder(merchantUid: string): Payment[];
  /** Payments with a billing key, the newest first. */
  ofCustomer(customerUid: string, skip: number, limit: number): PaymentPage;
  byStatus(query: StatusQuery, skip: number, limit: number): PaymentPage;
  count(): number;
  clear(): void;
  close(): void;
};

/** Kept in two files of `folder`, or in memory where it is undefined. `paymentId` writes digits as a svc_uid. */
export function createPaymentStore(
  folder: string | undefined,
  paymentId: (digits: number) => string,
): PaymentStore {
  const columns = createColumnStore(folder && join(folder, 'payments.columns'));
  const rows = createRowStore(folder && join(folder, 'payments.rows'));
  const lists = createPaymentLists(columns);
  const indexBy = (column: number) => createRecordIndex((record) => columns.float(record, column));
  const bySvcUid = indexBy(FLOAT.svcUid);
  const byOrder = indexBy(FLOAT.merchantUid);
  const byCustomer = indexBy(FLOAT.customerUid);

  const read = (record: number) => readPayment(columns, rows, record);

  function find(svcUid: string): Payment | undefined {
    for (const record of bySvcUid.find(fingerprint(svcUid))) {
      const payment = read(record);
      if (payment.svcUid === svcUid) return payment;
    }
    return undefined;
  }

  function restore() {
    for (let record = 0; record < columns.count(); record += 1) {
      bySvcUid.add(record);
      byOrder.add(record);
      byCustomer.add(record);
    }
    lists.rebuild();
  }

  // Random, not counted: a merchant's database may outlive a reset of the sandbox, and no id may come twice.
  function newSvcUid(): string {
    const svcUid = paymentId(randomInt(1e11, 2 ** 47));
    return find(svcUid) ? newSvcUid() : svcUid;
  }

  restore();
  return {
    find,
    add(draft) {
      if (columns.count() >= MOST_RECORDS)
        throw new Refusal(507, `the sandbox holds at most ${MOST_RECORDS} payments`);
      const payment = { svcUid: newSvcUid(), ...draft, sequence: columns.add() };
      writePayment(columns, rows, payment, true);
      bySvcUid.add(payment.sequence);
      byOrder.add(payment.sequence);
      byCustomer.add(payment.sequence);
      lists.add(payment.sequence);
      return payment;
    },
    change(payment, change) {
      const record = payment.sequence;
      const movesOrder = change.merchantUid !== undefined && change.merchantUid !== payment.merchantUid;
      lists.remove(record);
      if (movesOrder) byOrder.remove(record);
      Object.assign(payment, change);
      writePayment(columns, rows, payment, touchesRow(change));
      if (movesOrder) byOrder.add(record);
      lists.add(record);
    },
    ofOrder: (merchantUid) =>
      Array.from(byOrder.find(fingerprint(merchantUid)), read).filter(
        (each) => each.merchantUid === merchantUid,
      ),
    ofCustomer(customerUid, skip, limit) {
      const records = Array.from(byCustomer.find(fingerprint(customerUid)));
      return { total: records.length, payments: records.slice(skip, skip + limit).map(read) };
    },
    byStatus({ filter, sort, newestFirst, ...range }, skip, limit) {
      const { total, records } = lists.of(filter, sort).page(range, skip, limit, newestFirst);
      return { total, payments: records.map(read) };
    },
    count: () => columns.count(),
    clear() {
      columns.clear();
      rows.clear();
      for (const index of [bySvcUid, byOrder, byCustomer]) index.clear();
      lists.rebuild();
    },
    close() {
      columns.close();
      rows.close();
    },
  };
}
