// A payment made in the browser's payment window: paid, failed, or a virtual account that awaits its deposit.

import { z } from 'zod';
import type { BillingKeyStore } from '../billing-keys/billing-key-store';
import { issueBillingKey, pgOf } from '../billing-keys/issue-billing-key';
import { HttpError } from '../http/answer';
import { flag, id, optional, text, wholeNumber } from '../http/fields';
import type { PaymentEvent } from '../notifications/events';
import { noticeUrlField, orderFields, paymentFields } from './order';
import type { Buyer, Payment } from './payment';
import type { PaymentStore } from './payment-store';
import type { PreparedAmounts } from './prepared-amounts';
import { startPayment } from './start-payment';

/** The parameters of the window, with the names of the payment record (§2.4). */
export const windowFields = {
  merchant_uid: id(40),
  amount: wholeNumber(0),
  currency: orderFields.currency,
  tax_free: paymentFields.tax_free,
  name: optional(text(40)),
  pay_method: optional(text(16)),
  channel: optional(z.enum(['pc', 'mobile'])),
  customer_uid: optional(id(80)),
  /** A provider, or a provider, "." and the merchant's id there, as the browser script takes it. */
  pg: optional(text(97)),
  pg_provider: optional(text(16)),
  /** The default of an easy-pay method is that method. */
  emb_pg_provider: optional(text(16)),
  escrow: optional(flag),
  /** Only a bank transfer or a virtual account has one. */
  cash_receipt_issued: optional(flag),
  buyer_name: orderFields.buyer_name,
  buyer_email: orderFields.buyer_email,
  buyer_tel: orderFields.buyer_tel,
  buyer_addr: orderFields.buyer_addr,
  buyer_postcode: orderFields.buyer_postcode,
  custom_data: orderFields.custom_data,
  notice_url: noticeUrlField,
  /** The name of `notice_url` in the newer SDK (§6.3). */
  noticeUrls: noticeUrlField,
};

export const windowPaymentSchema = z.object({
  ...windowFields,
  outcome: z.enum(['paid', 'failed', 'virtual_account']).default('paid'),
  /** Of a failed payment. The default is a card company's refusal. */
  fail_reason: optional(text(256)),
  notify: z.boolean().default(true),
});

type WindowPayment = z.output<typeof windowPaymentSchema>;
type Stores = { payments: PaymentStore; preparedAmounts: PreparedAmounts; billingKeys: BillingKeyStore };

const DEPOSIT_PERIOD_SECONDS = 3 * 86_400;
const CASH_METHODS = ['trans', 'vbank'];
const EASY_PAY_METHODS = [
  'kakaopay',
  'naverpay',
  'tosspay',
  'payco',
  'samsung',
  'lpay',
  'ssgpay',
  'applepay',
];
// The default values of the buyer, because the real window asks for them.
const BUYER = {
  name: '홍길동',
  email: 'buyer@example.com',
  tel: '010-0000-0000',
  addr: '서울특별시 중구 세종대로 110',
  postcode: '04524',
};
const WINDOW_CARD = {
  card_number: '4242-4242-4242-4242',
  expiry: '9999-12',
  birth: '880101',
  pwd_2digit: '00',
};

/**
 * Also returns the event to send a notification for. Throws a 409 if another amount is registered for the order (§4.9);
 * then no payment is created.
 */
export function payInWindow(
  { payments, preparedAmounts, billingKeys }: Stores,
  request: WindowPayment,
  now: number,
): { payment: Payment; event: PaymentEvent } {
  const { merchant_uid: merchantUid, amount, currency = 'KRW', customer_uid, outcome } = request;
  const refusal = preparedAmounts.findRefusal({ merchantUid, amount, currency });
  if (refusal !== null) throw new HttpError(409, refusal);
  const known = customer_uid === undefined ? undefined : billingKeys.find(customer_uid);
  const usage = customer_uid === undefined ? null : known ? 'payment' : 'issue';
  // A window opened with a new customer_uid registers the buyer's card under it.
  const issue = usage === 'issue' && outcome === 'paid' ? customer_uid : undefined;
  const chosenPg = request.pg ?? request.pg_provider;
  const windowCard = { ...WINDOW_CARD, pg: chosenPg };
  const { card } = known ?? issueBillingKey(billingKeys, windowCard, issue, now);
  const pg = known && chosenPg === undefined ? known : pgOf(chosenPg);
  const payMethod = payMethodOf(request);
  const hasAccount = payMethod === 'vbank' && outcome !== 'failed';
  const draft = startPayment(
    {
      merchantUid,
      amount,
      currency,
      taxFree: request.tax_free ?? 0,
      name: request.name ?? '테스트 상품',
      payMethod,
      channel: request.channel ?? 'pc',
      pgProvider: pg.pgProvider,
      embPgProvider: request.emb_pg_provider ?? (EASY_PAY_METHODS.includes(payMethod) ? payMethod : null),
      pgId: pg.pgId,
      card: payMethod === 'card' ? card : null,
      virtualAccountUntil: hasAccount ? now + DEPOSIT_PERIOD_SECONDS : 0,
      buyer: buyerOf(request),
      customData: request.custom_data ?? null,
      escrow: request.escrow ?? false,
      cashReceiptIssued: request.cash_receipt_issued === true && CASH_METHODS.includes(payMethod),
      customerUid: customer_uid ?? null,
      customerUidUsage: usage,
      noticeUrls: request.noticeUrls ?? request.notice_url ?? [],
      status: outcome === 'virtual_account' ? 'ready' : outcome,
      failReason:
        outcome === 'failed' ? (request.fail_reason ?? '카드사에서 거절되었습니다. (51: 한도초과)') : null,
    },
    now,
  );
  const event = outcome === 'virtual_account' ? 'virtual_account_issued' : outcome;
  return { payment: payments.add(draft), event };
}

// A virtual account is always `vbank`, even if the window was opened with another method.
function payMethodOf({ outcome, pay_method }: Pick<WindowPayment, 'outcome' | 'pay_method'>): string {
  return outcome === 'virtual_account' ? 'vbank' : (pay_method ?? 'card');
}

function buyerOf(request: WindowPayment): Buyer {
  return {
    name: request.buyer_name ?? BUYER.name,
    email: request.buyer_email ?? BUYER.email,
    tel: request.buyer_tel ?? BUYER.tel,
    addr: request.buyer_addr ?? BUYER.addr,
    postcode: request.buyer_postcode ?? BUYER.postcode,
  };
}
