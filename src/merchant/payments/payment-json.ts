// A stored payment as the merchant's own systems see it, under the document's names.

import type { StoredPayment } from './payment-store';

/** Amounts are integers in the currency's unit of §2.4; times are ISO 8601 or null. */
export function paymentJson(payment: StoredPayment) {
  return {
    svc_uid: payment.svcUid,
    merchant_uid: payment.merchantUid,
    status: payment.status,
    amount: Number(payment.amount),
    cancel_amount: Number(payment.cancelAmount),
    currency: payment.currency,
    pay_method: payment.payMethod,
    pg_provider: payment.pgProvider,
    pg_tid: payment.pgTid,
    apply_num: payment.applyNum,
    card_name: payment.cardName,
    card_number: payment.cardNumber,
    customer_uid: payment.customerUid,
    fail_reason: payment.failReason,
    cancel_reason: payment.cancelReason,
    receipt_url: payment.receiptUrl,
    started_at: payment.startedAt,
    paid_at: payment.paidAt,
    failed_at: payment.failedAt,
    cancelled_at: payment.cancelledAt,
    counted: payment.counted,
    fetched_at: payment.fetchedAt,
    record: payment.record,
  };
}
