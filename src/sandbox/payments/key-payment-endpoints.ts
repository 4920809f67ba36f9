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
import { isPossibleQuota, orderFields, orderOf, paymentFields, quotaRule, type Order } from './order';
import type { PaymentStore } from './payment-store';
import type { PreparedAmounts } from './prepared-amounts';

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

// The live service's own message. Published clients expect it with this code.
const UNKNOWN_BUYER = '등록되지 않은 구매자입니다.';
const ALREADY_PAID = 'merchant_uid: this order is already paid';

type Stores = {
  payments: PaymentStore;
  preparedAmounts: PreparedAmounts;
  billingKeys: BillingKeyStore;
  notifier: Notifier;
  clock: SandboxClock;
};

export function keyPaymentEndpoints(
  { payments, preparedAmounts, billingKeys, notifier, clock }: Stores,
  slowCardMs: number,
): Endpoint[] {
  // A refusal comes first: no payment is created and no key is issued.
  const findRefusal = (order: Order) =>
    isPaid(payments, order.merchantUid) ? ALREADY_PAID : preparedAmounts.findRefusal(order);

  return [
    {
      method: 'POST',
      path: '/subscribe/payments/again',
      access: 'legacy',
      handle: ({ body }) => {
        const request = parseFields(againSchema, body);
        const key = billingKeys.find(request.customer_uid);
        if (!key) return failure(UNKNOWN_BUYER, -1);
        const order = orderOf(request);
        const refusal = findRefusal(order);
        if (refusal !== null) return failure(refusal);
        const customer = { customerUid: request.customer_uid, customerUidUsage: 'payment' as const };
        const payment = chargeKey(payments, order, key, customer, clock.now());
        // Not awaited: no client is redirected here (§6.5.1), and the receiver may need this answer first.
        void notifier.notify(payment.status === 'paid' ? 'paid' : 'failed', payment);
        return success(payments.recordOf(payment));
      },
    },
    {
      method: 'POST',
      path: '/subscribe/payments/onetime',
      access: 'legacy',
      handle: ({ body }) => {
        const request = parseFields(onetimeSchema, body);
        const order = orderOf(request);
        const refusal = findRefusal(order);
        if (refusal !== null) return failure(refusal);
        const { customer_uid: customerUid } = request;
        const now = clock.now();
        const issued = issueBillingKey(billingKeys, request, customerUid, now);
        const customerUidUsage = customerUid === undefined ? null : 'issue';
        const customer = { customerUid: customerUid ?? null, customerUidUsage } as const;
        const key = { ...issued, ...pgOf(request.pg) };
        const payment = chargeKey(payments, order, key, customer, now);
        void notifier.notify(payment.status === 'paid' ? 'paid' : 'failed', payment);
        return {
          ...success(payments.recordOf(payment)),
          lost: issued.outcome === 'lost_response',
          ...(issued.outcome === 'slow' && { delayMs: slowCardMs }),
        };
      },
    },
  ];
}
