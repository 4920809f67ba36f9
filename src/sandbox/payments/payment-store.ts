// All payments, found by svc_uid, by order and by customer_uid. Every change is told to the journal.
import { randomInt } from 'node:crypto';
import type { Payment } from './payment';

/** What may change; the order fields only by tampering. */
export type PaymentChange = Partial<
  Pick<
    Payment,
    | 'status'
    | 'amount'
    | 'currency'
    | 'merchantUid'
    | 'paidAt'
    | 'failedAt'
    | 'cancelledAt'
    | 'updatedAt'
    | 'failReason'
    | 'cancellations'
  >
>;

export type PaymentStore = {
  add(payment: Omit<Payment, 'sequence' | 'svcUid'>): Payment;
  change(payment: Payment, change: PaymentChange): void;
  find(svcUid: string): Payment | undefined;
  /** Several payments can carry one merchant_uid; in order of creation. */
  ofOrder(merchantUid: string): readonly Payment[];
  ofCustomer(customerUid: string): readonly Payment[];
  count(): number;
  clear(): void;
};

const NONE: readonly Payment[] = [];

export function createPaymentStore(onChange: (payment: Payment) => void): PaymentStore {
  const bySvcUid = new Map<string, Payment>();
  const byMerchantUid = new Map<string, Payment[]>();
  const byCustomerUid = new Map<string, Payment[]>();
  let sequence = 0;

  function index(payment: Payment) {
    append(byMerchantUid, payment.merchantUid, payment);
    if (payment.customerUid !== null) append(byCustomerUid, payment.customerUid, payment);
  }

  return {
    add(draft) {
      const payment: Payment = { sequence: (sequence += 1), svcUid: newSvcUid(bySvcUid), ...draft };
      bySvcUid.set(payment.svcUid, payment);
      index(payment);
      onChange(payment);
      return payment;
    },
    change(payment, change) {
      const { merchantUid } = payment;
      Object.assign(payment, change);
      if (payment.merchantUid !== merchantUid) {
        const rest = (byMerchantUid.get(merchantUid) ?? []).filter((each) => each !== payment);
        byMerchantUid.set(merchantUid, rest);
        append(byMerchantUid, payment.merchantUid, payment);
      }
      onChange(payment);
    },
    find: (svcUid) => bySvcUid.get(svcUid),
    ofOrder: (merchantUid) => byMerchantUid.get(merchantUid) ?? NONE,
    ofCustomer: (customerUid) => byCustomerUid.get(customerUid) ?? NONE,
    count: () => bySvcUid.size,
    clear() {
      bySvcUid.clear();
      byMerchantUid.clear();
      byCustomerUid.clear();
    },
  };
}

function append(lists: Map<string, Payment[]>, name: string, payment: Payment) {
  const list = lists.get(name);
  if (list) list.push(payment);
  else lists.set(name, [payment]);
}

// Random, not counted: a merchant's database may outlive a reset of the sandbox, and no id may come twice.
function newSvcUid(taken: { has(svcUid: string): boolean }): string {
  for (;;) {
    const svcUid = `svc_${randomInt(1e11, 2 ** 47)}`;
    if (!taken.has(svcUid)) return svcUid;
  }
}
