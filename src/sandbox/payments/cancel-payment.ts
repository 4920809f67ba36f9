// Cancellation, whole or in part: from the admin console (which notifies, §6.1) or through the API (which does not,
// field notes). A partial one shows as `cancelled` with `cancel_amount` below `amount` (field notes).
import { z } from 'zod';
import { Refusal, failure, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { optional, parseFields, text, wholeNumber } from '../http/fields';
import { cancelledAmount, type Payment } from './payment';
import { paymentRecord } from './payment-record';
import type { PaymentStore } from './payment-store';

/** `amount` absent or 0: all that is left. The reason has at most 256 characters (§8). */
export const cancelFields = { amount: optional(wholeNumber(0)), reason: optional(text(256)) };

const requestSchema = z.object({
  ...cancelFields,
  svc_uid: optional(z.string()),
  merchant_uid: optional(z.string()),
  /** What the caller believes can be cancelled; another balance aborts. */
  checksum: optional(wholeNumber(0)),
  refund_holder: optional(text(40)),
  refund_bank: optional(text(8)),
  refund_account: optional(text(40)),
});

type CancelRequest = {
  amount?: number | undefined;
  checksum?: number | undefined;
  reason?: string | undefined;
};

export function cancelEndpoint(payments: PaymentStore, now: () => number): Endpoint {
  return {
    method: 'POST',
    path: '/payments/cancel',
    access: 'legacy',
    handle: ({ body }) => {
      const request = parseFields(requestSchema, body);
      const payment = paymentMeant(payments, request.svc_uid, request.merchant_uid);
      const refusal = cancelPayment(payments, payment, request, now());
      return refusal === null ? success(paymentRecord(payment)) : failure(refusal);
    },
  };
}

/** null when done, otherwise why not. */
export function cancelPayment(
  payments: PaymentStore,
  payment: Payment,
  request: CancelRequest,
  now: number,
): string | null {
  if (payment.paidAt === 0) return 'the payment was not paid, there is nothing to cancel';
  const balance = payment.amount - cancelledAmount(payment);
  if (balance <= 0) return 'the payment is already cancelled';
  if (request.checksum !== undefined && request.checksum !== balance)
    return `checksum: the balance is ${balance}, nothing was cancelled`;
  const amount = request.amount || balance;
  if (amount > balance) return `amount: more than the ${balance} that can be cancelled`;
  payments.change(payment, {
    status: 'cancelled',
    cancelledAt: now,
    updatedAt: now,
    cancellations: [...payment.cancellations, { amount, at: now, reason: request.reason ?? '취소' }],
  });
  return null;
}

// svc_uid wins over merchant_uid; of an order with several payments the newest that was paid is meant.
function paymentMeant(payments: PaymentStore, svcUid?: string, merchantUid?: string): Payment {
  if (svcUid === undefined && merchantUid === undefined)
    throw new Refusal(400, 'svc_uid, merchant_uid: one is required');
  const ofOrder = payments.ofOrder(merchantUid ?? '');
  const payment =
    svcUid === undefined ? (ofOrder.find(({ paidAt }) => paidAt > 0) ?? ofOrder[0]) : payments.find(svcUid);
  if (!payment) throw new Refusal(404, 'svc_uid, merchant_uid: no such payment');
  return payment;
}
