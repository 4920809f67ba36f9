// Payments by API: with a stored key (`again`, §4.9), and with a card and its new key in one call (`onetime`, §4.3).

import { z } from 'zod';
import type { BillingKeyStore } from '../billing-keys/billing-key-store';
import { cardInputSchema } from '../billing-keys/card';
import { customerSchema, issueBillingKey, pgOf } from '../billing-keys/issue-billing-key';
import { failure, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { id, optional, parseFields, text } from '../http/fields';
import type { Notifier } from '../notifications/notifier';
import type { SandboxClock } from '../state/clock';
import { chargeKey, isPaid } from './charge-key';
import { isPossibleQuota, orderFields, orderOf, paymentFields, quotaRule } from './order';
import { paymentRecord } from './payment-record';
import type { PaymentStore } from './payment-store';

const againSchema = z
  .object({ ...orderFields, ...paymentFields, name: text(40), customer_uid: id(80) })
  .refine(isPossibleQuota, quotaRule);

// `birth` and `pwd_2digit` are optional here and nowhere else (§4.3).
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

type Stores = {
  payments: PaymentStore;
  billingKeys: BillingKeyStore;
  notifier: Notifier;
  clock: SandboxClock;
};

export function keyPaymentEndpoints(
  { payments, billingKeys, notifier, clock }: Stores,
  slowCardMs: number,
): Endpoint[] {
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
        const payment = chargeKey(payments, orderOf(request), key, customer, clock.now());
        // Not awaited: no client is redirected here (§6.5.1), and the receiver may need this answer first.
        void notifier.notify(payment.status === 'paid' ? 'paid' : 'failed', payment);
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
        const now = clock.now();
        const issued = issueBillingKey(billingKeys, request, customerUid, now);
        const customerUidUsage = customerUid === undefined ? null : 'issue';
        const customer = { customerUid: customerUid ?? null, customerUidUsage } as const;
        const key = { ...issued, ...pgOf(request.pg) };
        const payment = chargeKey(payments, orderOf(request), key, customer, now);
        void notifier.notify(payment.status === 'paid' ? 'paid' : 'failed', payment);
        return {
          ...success(paymentRecord(payment)),
          lost: issued.outcome === 'lost_response',
          ...(issued.outcome === 'slow' && { delayMs: slowCardMs }),
        };
      },
    },
  ];
}
