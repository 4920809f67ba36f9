// One payment as the newer generation shows it (§9): found by payment_id, which is the order, with one transaction
// for each attempt and no envelope. The rest of the shape is our choice; the statuses are those of §6.2.

import { HttpError } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { currentStatus, transactionId } from '../notifications/events';
import { cancelledAmount, type Payment } from './payment';
import type { PaymentStore } from './payment-store';

/** @param showsChannel whether transactions name their channel */
export function newerPaymentEndpoint(payments: PaymentStore, showsChannel: () => boolean): Endpoint {
  return {
    method: 'GET',
    path: '/v2/payments/:payment_id',
    access: 'newer',
    handle: ({ params }) => {
      const { payment_id = '' } = params;
      const attempts = payments.ofOrder(payment_id);
      // Our choice of the primary transaction: the newest that did not fail, otherwise the newest.
      const primary = attempts.find(({ status }) => status !== 'failed') ?? attempts[0];
      if (!primary) throw new HttpError(404, 'payment_id: no such payment');
      const transactions = attempts.map((payment) => ({
        ...transactionRecord(payment, payment === primary),
        ...(showsChannel() && { channel: { type: payment.sandbox ? 'TEST' : 'LIVE' } }),
      }));
      return { status: 200, body: { payment: { id: payment_id, transactions } } };
    },
  };
}

function transactionRecord(payment: Payment, isPrimary: boolean) {
  const cancelled = cancelledAmount(payment);
  return {
    id: transactionId(payment),
    payment_id: payment.merchantUid,
    is_primary: isPrimary,
    status: currentStatus(payment, 'newer'),
    amount: { total: payment.amount, paid: payment.paidAt > 0 ? payment.amount - cancelled : 0, cancelled },
    currency: payment.currency,
    order_name: payment.name,
    method: { type: payment.payMethod, card: payment.card },
    requested_at: payment.startedAt,
    paid_at: payment.paidAt,
    failed_at: payment.failedAt,
    cancelled_at: payment.cancelledAt,
    failure: payment.failReason === null ? null : { reason: payment.failReason },
  };
}
