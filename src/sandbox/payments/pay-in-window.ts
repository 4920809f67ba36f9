// A payment made in the browser's payment window: paid, failed, or a virtual account that awaits its deposit. A window with a
// customer_uid issues a billing key (§1, `customer_uid_usage` of §2.4): with an amount it takes the payment as well, with the
// amount 0 it only registers the card or the wallet.

import { z } from 'zod';
import type { BillingKey } from '../billing-keys/billing-key';
import type { BillingKeyStore } from '../billing-keys/billing-key-store';
import { inspectCard } from '../billing-keys/card';
import { pgOf } from '../billing-keys/issue-billing-key';
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
  /** Payments with the key that this window issues fail. */
  later_payments_fail: flag.default(false),
  notify: z.boolean().default(true),
});

type WindowPayment = z.output<typeof windowPaymentSchema>;
type Stores = { payments: PaymentStore; preparedAmounts: PreparedAmounts; billingKeys: BillingKeyStore };

const DEPOSIT_PERIOD_SECONDS = 3 * 86_400;
const CASH_METHODS = ['trans', 'vbank'];
const WALLETS = ['kakaopay', 'naverpay', 'tosspay', 'payco', 'samsung', 'lpay', 'ssgpay', 'applepay'];
// The default values of the buyer, because the real window asks for them.
const BUYER = {
  name: '홍길동',
  email: 'buyer@example.com',
  tel: '010-0000-0000',
  addr: '서울특별시 중구 세종대로 110',
  postcode: '04524',
};
const WINDOW_CARD = { card_number: '4242-4242-4242-4242', expiry: '9999-12' };
const NO_CUSTOMER = { name: null, tel: null, email: null, addr: null, postcode: null };

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
  if (customer_uid !== undefined && amount === 0 && outcome === 'virtual_account')
    throw new HttpError(400, 'outcome: a billing key is not issued with a virtual account');
  const known = customer_uid === undefined ? undefined : billingKeys.find(customer_uid);
  const usage = keyUsage(billingKeys, request);
  const method = methodOf(request, usage === 'payment' ? known : undefined);
  const cardOf = () => (usage === 'payment' && known?.card) || inspectCard(WINDOW_CARD, now).card;
  const card = method.payMethod === 'card' ? cardOf() : null;
  if (customer_uid !== undefined && usage === 'issue' && outcome === 'paid')
    billingKeys.save({
      customerUid: customer_uid,
      ...method,
      card,
      outcome: request.later_payments_fail ? 'later_payments_fail' : 'success',
      customer: NO_CUSTOMER,
      inserted: now,
      updated: now,
    });
  const hasAccount = method.payMethod === 'vbank' && outcome !== 'failed';
  const draft = startPayment(
    {
      merchantUid,
      amount,
      currency,
      taxFree: request.tax_free ?? 0,
      name: request.name ?? '테스트 상품',
      ...method,
      channel: request.channel ?? 'pc',
      card,
      virtualAccountUntil: hasAccount ? now + DEPOSIT_PERIOD_SECONDS : 0,
      buyer: buyerOf(request),
      customData: request.custom_data ?? null,
      escrow: request.escrow ?? false,
      cashReceiptIssued: request.cash_receipt_issued === true && CASH_METHODS.includes(method.payMethod),
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

type KeyFields = Pick<WindowPayment, 'customer_uid' | 'amount'>;

/**
 * What the window does with the billing key. Our choice where the document is silent (contract §6): a window with an amount
 * pays with the key that the customer_uid holds; without an amount it issues a new key in place of the old one (§1).
 */
export function keyUsage(billingKeys: BillingKeyStore, { customer_uid, amount }: KeyFields) {
  if (customer_uid === undefined) return null;
  return amount > 0 && billingKeys.find(customer_uid) ? 'payment' : 'issue';
}

type MethodFields = Pick<
  WindowPayment,
  'customer_uid' | 'pay_method' | 'pg' | 'pg_provider' | 'emb_pg_provider'
>;

/** The wallet that `pg` names: its window takes no other method, and shops pass `pay_method: "card"` with it. */
export function walletOf({ pg, pg_provider }: Pick<MethodFields, 'pg' | 'pg_provider'>): string | undefined {
  const { pgProvider } = pgOf(pg ?? pg_provider);
  return WALLETS.find((wallet) => wallet === pgProvider);
}

/**
 * Method and gateway of the payment, and of the key that it issues. Our choice where the document is silent (contract §6):
 * a key of a wallet is held by the wallet itself (`pg_provider` is the wallet), unless the shop names another gateway. Then
 * `emb_pg_provider` is the wallet.
 */
function methodOf(request: MethodFields & Pick<WindowPayment, 'outcome'>, known: BillingKey | undefined) {
  const chosenPg = request.pg ?? request.pg_provider;
  const asked = walletOf(request) ?? request.pay_method ?? known?.payMethod ?? 'card';
  // A virtual account is always `vbank`, even if the window was opened with another method.
  const payMethod = request.outcome === 'virtual_account' ? 'vbank' : asked;
  const isWallet = WALLETS.includes(payMethod);
  const own = isWallet && request.customer_uid !== undefined ? payMethod : undefined;
  const { pgProvider, pgId } = known && chosenPg === undefined ? known : pgOf(chosenPg ?? own);
  const behind = isWallet && payMethod !== pgProvider ? payMethod : null;
  return { payMethod, pgProvider, pgId, embPgProvider: request.emb_pg_provider ?? behind };
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
