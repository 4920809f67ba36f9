// The books of one order between one verdict and the next.

import type { PaymentRecord } from '../../src/merchant/payment-service/records/payment-record';
import type { Evidence, Verdict } from '../../src/merchant/payments/judge-payment';
import type { Snapshot } from '../../src/merchant/payments/snapshot-store';
import { snapshot } from './builders';

export type Books = Pick<Snapshot, 'order' | 'payments'>;

/** Evidence of nothing, with no doubt about it. */
export const certain: Evidence = {
  claim: { svcUid: 'svc_1', merchantUid: 'order-1' },
  snapshot: snapshot(),
  record: null,
  showsPayer: true,
  channel: 'live',
  keyOwner: null,
  confirmed: false,
  acceptsTestPayments: false,
};

/** The books after a verdict, as `payments/payment-store.ts` writes them. */
export function write(books: Books, verdict: Verdict): Books {
  if (verdict.outcome !== 'recorded' || books.order === null)
    return { order: books.order, payments: books.payments };
  const { record: shown, counted } = verdict.payment;
  return {
    order: { ...books.order, status: verdict.orderStatus },
    payments: [...books.payments.filter((each) => each.svcUid !== shown.svcUid), toStored(shown, counted)],
  };
}

function toStored(
  { svcUid: uid, status, amount: paid, cancelAmount, raw }: PaymentRecord,
  counted: boolean,
) {
  if (status === 'unknown') throw new Error('no payment of unknown status is ever stored');
  return { svcUid: uid, status, amount: paid, cancelAmount, counted, record: raw, wentBackAt: null };
}
