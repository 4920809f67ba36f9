// The payment record of §2.4. Every field is present: null if it does not apply; timestamps are integers, 0 for
// never.

import { cardTypeOf } from '../billing-keys/card';
import { cancelledAmount, type Cancellation, type Payment } from './payment';

/** @param receiptsUrl below which the receipts are (`receipts/`) */
export function paymentRecord(payment: Payment, receiptsUrl: string) {
  const receiptUrl = `${receiptsUrl}/${payment.svcUid}`;
  const cancelReceipt = (index: number) => `${receiptUrl}/cancel/${index + 1}`;
  const isVirtualAccount = payment.virtualAccountUntil > 0;
  const digits = payment.svcUid.replace(/\D/g, '');
  // A key that is registered with 0 won has no approval and no receipt.
  const wasPaid = payment.paidAt > 0 && payment.amount > 0;
  const last = payment.cancellations.at(-1);
  return {
    svc_uid: payment.svcUid,
    merchant_uid: payment.merchantUid,
    pay_method: payment.payMethod,
    channel: payment.channel,
    pg_provider: payment.pgProvider,
    emb_pg_provider: payment.embPgProvider,
    pg_tid: pgTidOf(payment),
    pg_id: payment.pgId,
    escrow: payment.escrow,
    apply_num: payment.card && wasPaid ? digits.slice(-8) : null,
    bank_code: payment.payMethod === 'trans' ? BANK.code : null,
    bank_name: payment.payMethod === 'trans' ? BANK.name : null,
    card_code: payment.card?.code ?? null,
    card_name: payment.card?.name ?? null,
    card_quota: payment.cardQuota,
    card_number: payment.card?.number ?? null,
    card_type: payment.card && cardTypeOf(payment.card, payment.pgProvider),
    vbank_code: isVirtualAccount ? BANK.code : null,
    vbank_name: isVirtualAccount ? BANK.name : null,
    vbank_num: isVirtualAccount ? `X${digits}` : null,
    vbank_holder: isVirtualAccount ? 'SANDBOX SHOP' : null,
    vbank_date: payment.virtualAccountUntil,
    vbank_issued_at: isVirtualAccount ? payment.startedAt : 0,
    name: payment.name,
    amount: payment.amount,
    cancel_amount: cancelledAmount(payment),
    currency: payment.currency,
    buyer_name: payment.buyer?.name ?? null,
    buyer_email: payment.buyer?.email ?? null,
    buyer_tel: payment.buyer?.tel ?? null,
    buyer_addr: payment.buyer?.addr ?? null,
    buyer_postcode: payment.buyer?.postcode ?? null,
    custom_data: payment.customData,
    user_agent: payment.channel === 'api' ? null : BROWSER,
    status: payment.status,
    started_at: payment.startedAt,
    paid_at: payment.paidAt,
    failed_at: payment.failedAt,
    cancelled_at: payment.cancelledAt,
    fail_reason: payment.failReason,
    cancel_reason: last?.reason ?? null,
    receipt_url: wasPaid ? receiptUrl : null,
    cancel_history: payment.cancellations.map((each, index) =>
      cancelEntry(payment, each, index, cancelReceipt(index)),
    ),
    cancel_receipt_urls: payment.cancellations.map((_, index) => cancelReceipt(index)),
    cash_receipt_issued: payment.cashReceiptIssued,
    customer_uid: payment.customerUid,
    customer_uid_usage: payment.customerUidUsage,
    sandbox: payment.sandbox,
  };
}

const BANK = { code: '088', name: '신한은행' };
const BROWSER = 'Mozilla/5.0 (sandbox checkout)';

function cancelEntry(
  payment: Payment,
  { amount, at, reason }: Cancellation,
  index: number,
  receiptUrl: string,
) {
  const number = index + 1;
  return {
    cancellation_id: `cancel_${payment.svcUid.replace(/\D/g, '')}_${number}`,
    pg_tid: `${pgTidOf(payment)}_c${number}`,
    amount,
    cancelled_at: at,
    reason,
    receipt_url: receiptUrl,
  };
}

function pgTidOf(payment: Payment): string {
  return `${payment.pgId}_${payment.svcUid.replace(/\D/g, '')}`.slice(-64);
}
