// Cancels a payment, in full or in part: from the admin console, which sends a notification, or through the API,
// which does not (§6.1). A payment that was cancelled in part is `cancelled` with `cancel_amount` below `amount`
// (§3).

import { z } from 'zod';
import { failure, HttpError, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { optional, parseFields, text, wholeNumber } from '../http/fields';
import type { SandboxClock } from '../state/clock';
import { balanceOf, type Payment } from './payment';
import type { PaymentStore } from './payment-store';

/**
 * An absent `amount` or 0 means the whole balance. `tax_free` is the tax-free part of the amount. The reason has at most
 * 256 characters (§8).
 */
export const cancelFields = {
  amount: optional(wholeNumber(0)),
  tax_free: optional(wholeNumber(0)),
  reason: optional(text(256)),
};

const requestSchema = z.object({
  ...cancelFields,
  svc_uid: optional(z.string()),
  merchant_uid: optional(z.string()),
  /** The balance that the caller expects. With another balance nothing is cancelled. */
  checksum: optional(wholeNumber(0)),
  /** The buyer's account, for a payment by virtual account. It is checked and not kept. */
  refund_holder: optional(text(40)),
  refund_bank: optional(text(8)),
  refund_account: optional(text(40)),
  refund_tel: optional(text(16)),
});

// The live service's own message.
const NO_PAYMENT = '취소할 결제건이 존재하지 않습니다.';

// refund_tel belongs to some providers only (§4.9), so it is never required here.
const REFUND_FIELDS = ['refund_holder', 'refund_bank', 'refund_account'] as const;

type CancelRequest = {
  amount?: number | undefined;
  tax_free?: number | undefined;
  checksum?: number | undefined;
  reason?: string | undefined;
};

export function cancelEndpoint(payments: PaymentStore, clock: SandboxClock): Endpoint {
  return {
    method: 'POST',
    path: '/payments/cancel',
    access: 'legacy',
    handle: ({ body }) => {
      const request = parseFields(requestSchema, body);
      const payment = getPaymentToCancel(payments, request.svc_uid, request.merchant_uid);
      const refusal =
        findMissingAccount(payment, request) ?? cancelPayment(payments, payment, request, clock.now());
      return refusal === null ? success(payments.recordOf(payment)) : failure(refusal);
    },
  };
}

/** Returns null if the payment is cancelled, otherwise the reason of the refusal. */
export function cancelPayment(
  payments: PaymentStore,
  payment: Payment,
  request: CancelRequest,
  now: number,
): string | null {
  if (payment.paidAt === 0) return 'the payment was not paid, there is nothing to cancel';
  if (payment.amount === 0) return 'no money was paid, there is nothing to cancel';
  const { amount: balance, taxFree: taxFreeBalance } = balanceOf(payment);
  if (balance <= 0) return 'the payment is already cancelled';
  if (request.checksum !== undefined && request.checksum !== balance)
    return `checksum: the balance is ${balance}, nothing was cancelled`;
  const amount = request.amount || balance;
  if (amount > balance) return `amount: more than the ${balance} that can be cancelled`;
  // The document is silent. Neither the tax-free nor the taxed part may be cancelled beyond what is left of it; if the
  // caller does not divide the amount, the taxed part is cancelled first.
  const leastTaxFree = Math.max(0, amount - (balance - taxFreeBalance));
  const taxFree = request.tax_free ?? leastTaxFree;
  if (taxFree > Math.min(amount, taxFreeBalance))
    return `tax_free: more than the ${Math.min(amount, taxFreeBalance)} that can be cancelled free of tax`;
  if (taxFree < leastTaxFree) return `tax_free: less than ${leastTaxFree}, the taxed part is smaller`;
  const reason = request.reason ?? '취소';
  payments.change(payment, {
    status: 'cancelled',
    cancelledAt: now,
    updatedAt: now,
    cancellations: [...payment.cancellations, { amount, taxFree, at: now, reason }],
  });
  return null;
}

/** A deposit to a virtual account can only be refunded to an account that the merchant names (§4.9). */
function findMissingAccount(payment: Payment, request: z.output<typeof requestSchema>): string | null {
  const isCash = payment.virtualAccountUntil > 0 && payment.paidAt > 0;
  const missing = isCash ? REFUND_FIELDS.filter((field) => request[field] === undefined) : [];
  return missing.length === 0 ? null : `${missing.join(', ')}: required to refund a virtual account`;
}

// svc_uid wins over merchant_uid (§4.9). Of several payments of an order, the newest that was paid is cancelled.
function getPaymentToCancel(payments: PaymentStore, svcUid?: string, merchantUid?: string): Payment {
  if (svcUid === undefined && merchantUid === undefined)
    throw new HttpError(400, 'svc_uid, merchant_uid: one is required');
  const ofOrder = payments.ofOrder(merchantUid ?? '');
  const payment =
    svcUid === undefined ? (ofOrder.find(({ paidAt }) => paidAt > 0) ?? ofOrder[0]) : payments.find(svcUid);
  if (!payment) throw new HttpError(404, NO_PAYMENT);
  return payment;
}
