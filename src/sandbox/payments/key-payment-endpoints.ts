// Paying by API: with a stored key (`again`, field notes), and with a card in one call with its key (§4.3).
import { z } from 'zod';
import type { BillingKeyStore } from '../billing-keys/billing-key-store';
import { cardInputSchema } from '../billing-keys/card';
import { customerSchema, issueBillingKey, pgOf } from '../billing-keys/issue-billing-key';
import { failure, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { id, optional, parseFields, text } from '../http/fields';
import type { Notifier } from '../notifications/notifier';
import { chargeKey, isPaid, type Order } from './charge-key';
import { buyerOf, isPossibleQuota, orderFields, paymentFields, quotaRule } from './order-fields';
import { paymentRecord } from './payment-record';
import type { PaymentStore } from './payment-store';

const againSchema = z
  .object({ ...orderFields, ...paymentFields, name: text(40), customer_uid: id(80) })
  .refine(isPossibleQuota, quotaRule);

// `birth` and `pwd_2digit` are optional here and nowhere else (field notes).
const onetimeSchema = z
  .object({
    ...orderFields,
    ...paymentFields,
    ...customerSchema.shape,
    ...cardInputSchema.shape,
    birth: optional(cardInputSchema.shape.birth),
    pwd_2digit: optional(cardInputSchema.shape.pwd_2digit),
    name: optional(text(40)),
    customer_uid: optional(id(80)),
  })
  .refine(isPossibleQuota, quotaRule);

const ALREADY_PAID = 'merchant_uid: this order is already paid';

type Dependencies = {
  payments: PaymentStore;
  billingKeys: BillingKeyStore;
  notifier: Notifier;
  now: () => number;
  slowCardMs: number;
};

export function keyPaymentEndpoints(service: Dependencies): Endpoint[] {
  const { payments, billingKeys, notifier, now, slowCardMs } = service;
  return [
    {
      method: 'POST',
      path: '/subscribe/payments/again',
      access: 'legacy',
      handle: ({ body }) => {
        const request = parseFields(againSchema, body);
        const key = billingKeys.find(request.customer_uid);
        if (!key) return failure('customer_uid: no billing key');
        if (isPaid(payments, request.merchant_uid)) return failure(ALREADY_PAID);
        const customer = { customerUid: request.customer_uid, customerUidUsage: 'payment' as const };
        const payment = chargeKey(payments, orderOf(request), key, customer, now());
        // Not waited for: there is no client to redirect (§6.5.1), and the caller may need the answer to take it.
        void notifier.announce(payment.status === 'paid' ? 'paid' : 'failed', payment);
        return success(paymentRecord(payment));
      },
    },
    {
      method: 'POST',
      path: '/subscribe/payments/onetime',
      access: 'legacy',
      handle: ({ body }) => {
        const request = parseFields(onetimeSchema, body);
        if (isPaid(payments, request.merchant_uid)) return failure(ALREADY_PAID);
        const { customer_uid: customerUid } = request;
        const issued = issueBillingKey(billingKeys, request, customerUid, now());
        const customerUidUsage = customerUid === undefined ? null : 'issue';
        const customer = { customerUid: customerUid ?? null, customerUidUsage } as const;
        const payment = chargeKey(
          payments,
          orderOf(request),
          { ...issued, ...pgOf(request.pg) },
          customer,
          now(),
        );
        void notifier.announce(payment.status === 'paid' ? 'paid' : 'failed', payment);
        return {
          ...success(paymentRecord(payment)),
          lost: issued.outcome === 'lost_response',
          ...(issued.outcome === 'slow' && { delayMs: slowCardMs }),
        };
      },
    },
  ];
}

type OrderRequest = {
  merchant_uid: string;
  amount: number;
  currency?: string | undefined;
  name?: string | undefined;
  custom_data?: string | undefined;
  notice_url?: string[] | undefined;
  card_quota?: number | undefined;
} & Parameters<typeof buyerOf>[0];

export function orderOf(request: OrderRequest): Order {
  return {
    merchantUid: request.merchant_uid,
    amount: request.amount,
    currency: request.currency ?? 'KRW',
    name: request.name ?? null,
    buyer: buyerOf(request),
    customData: request.custom_data ?? null,
    noticeUrls: request.notice_url ?? [],
    cardQuota: request.card_quota ?? 0,
  };
}
