// A payment made in the browser's payment window: paid, failed, or a virtual account that waits for its deposit.

import { z } from 'zod';
import type { BillingKeyStore } from '../billing-keys/billing-key-store';
import { issueBillingKey } from '../billing-keys/issue-billing-key';
import { id, optional, text, wholeNumber } from '../http/fields';
import type { PaymentEvent } from '../notifications/events';
import { noticeUrlField, orderFields } from './order';
import type { Payment } from './payment';
import type { PaymentStore } from './payment-store';
import { startPayment } from './start-payment';

export const windowPaymentSchema = z.object({
  merchant_uid: id(40),
  amount: wholeNumber(0),
  currency: z.enum(['KRW', 'USD', 'EUR']).default('KRW'),
  name: optional(text(40)),
  pay_method: optional(text(16)),
  channel: z.enum(['pc', 'mobile']).default('pc'),
  customer_uid: optional(id(80)),
  custom_data: orderFields.custom_data,
  notice_url: noticeUrlField,
  /** The name of `notice_url` in the newer SDK (§6.3). */
  noticeUrls: noticeUrlField,
  outcome: z.enum(['paid', 'failed', 'virtual_account']).default('paid'),
  notify: z.boolean().default(true),
});

type WindowPayment = z.output<typeof windowPaymentSchema>;
type Stores = { payments: PaymentStore; billingKeys: BillingKeyStore };

const DEPOSIT_PERIOD_SECONDS = 3 * 86_400;
// An invented buyer, as the payment window would ask for one.
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

/** Also returns the event to send a notification for. */
export function payInWindow(
  { payments, billingKeys }: Stores,
  request: WindowPayment,
  now: number,
): { payment: Payment; event: PaymentEvent } {
  const { customer_uid, outcome } = request;
  const known = customer_uid === undefined ? undefined : billingKeys.find(customer_uid);
  const usage = customer_uid === undefined ? null : known ? 'payment' : 'issue';
  // A window opened with a new customer_uid registers the buyer's card under it.
  const issue = usage === 'issue' && outcome === 'paid' ? customer_uid : undefined;
  const { card } = known ?? issueBillingKey(billingKeys, WINDOW_CARD, issue, now);
  const isVirtualAccount = outcome === 'virtual_account';
  const payMethod = request.pay_method ?? (isVirtualAccount ? 'vbank' : 'card');
  const draft = startPayment(
    {
      merchantUid: request.merchant_uid,
      amount: request.amount,
      currency: request.currency,
      name: request.name ?? '테스트 상품',
      payMethod,
      channel: request.channel,
      card: payMethod === 'card' ? card : null,
      virtualAccountUntil: isVirtualAccount ? now + DEPOSIT_PERIOD_SECONDS : 0,
      buyer: BUYER,
      customData: request.custom_data ?? null,
      customerUid: customer_uid ?? null,
      customerUidUsage: usage,
      noticeUrls: request.noticeUrls ?? request.notice_url ?? [],
      status: isVirtualAccount ? 'ready' : outcome,
      failReason: outcome === 'failed' ? '카드사에서 거절되었습니다. (51: 한도초과)' : null,
    },
    now,
  );
  return { payment: payments.add(draft), event: isVirtualAccount ? 'virtual_account_issued' : outcome };
}
