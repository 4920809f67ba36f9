// A subscription in the requests and answers of the JSON API.

import { z } from 'zod';
import { OrderStatus, SubscriptionInterval } from '../../../generated/prisma/client';
import { customerUidField } from '../../core/charges/charge-schema';
import { memberIdField, orderShape } from '../../core/orders/order-schema';
import {
  refusedInSchedules,
  scheduledPaymentShape,
  storedFieldsJson,
  storedFieldsShape,
  toPaymentFields,
} from '../../core/orders/payment-fields-schema';
import { isMerchantUid } from '../../payment-service/identifiers';
import { defineErrors } from '../../platform/errors';
import { refusedField, strictBody } from '../../platform/http/body-fields';
import { isoTime } from '../../platform/http/query';
import { time } from '../../platform/row';
import type { TermsWanted } from './change-subscription';
import type { Cycle } from './cycle-store';
import { subscriptionRow } from './row';
import { isCharged, isLive, type NewSubscription, type StoredSubscription } from './subscription-store';
import { hasTermsToCome } from './wanted-change';

/** The errors of the subscription routes. */
export const subscriptionErrors = defineErrors({
  subscription_not_found: {
    status: 404,
    message: 'No subscription has this id.',
    remedy: 'Create it with POST /api/subscriptions.',
  },
  subscription_conflict: {
    status: 409,
    message: 'The subscription_id belongs to a subscription with other content.',
    remedy: 'Use a new subscription_id for another subscription; change, or cancel, the one that is there.',
  },
  subscription_over: {
    status: 409,
    message: 'The subscription is cancelled or has ended.',
    remedy: 'Create another one with POST /api/subscriptions.',
  },
});

/** With `-` and seven digits it becomes a merchant_uid, which has at most 40 characters at the service. */
const SUBSCRIPTION_ID_LENGTH = 32;

/** An id that is allowed in a path. Dots only are impossible, because the orders are named after it. */
export const isSubscriptionId = (value: string): boolean =>
  isMerchantUid(value) && value.length <= SUBSCRIPTION_ID_LENGTH;

export const newSubscriptionSchema = strictBody({
  subscription_id: z
    .string()
    .refine(
      isSubscriptionId,
      `must be letters, digits, "_", "-" or ".", not dots only, at most ${SUBSCRIPTION_ID_LENGTH}`,
    ),
  customer_uid: customerUidField,
  member_id: memberIdField,
  name: orderShape.name,
  amount: orderShape.amount,
  currency: orderShape.currency,
  interval: z.enum(SubscriptionInterval),
  first_payment_at: isoTime.meta({ description: 'Now or later. Days follow Korean time (KST).' }),
  // A schedule makes its payments (§4.9).
  ...scheduledPaymentShape,
  ...refusedInSchedules,
  vat_amount: refusedField('the service takes no amount of VAT for a scheduled payment (§4.9)'),
});

export const subscriptionChangeSchema = strictBody({
  customer_uid: customerUidField.optional().meta({
    description: 'Another stored key of the member. It pays from the next payment on, also a retry.',
  }),
  amount: orderShape.amount.optional(),
  name: orderShape.name.optional(),
}).refine((body) => Object.values(body).some((value) => value !== undefined), {
  error: 'must have customer_uid, amount or name',
});

export const toTermsWanted = (body: z.output<typeof subscriptionChangeSchema>): TermsWanted => ({
  customerUid: body.customer_uid,
  amount: body.amount,
  name: body.name,
});

export function toNewSubscription(body: z.output<typeof newSubscriptionSchema>): NewSubscription {
  const { subscription_id, customer_uid, member_id, name, amount, currency, interval } = body;
  const seconds = Math.floor(Date.parse(body.first_payment_at) / 1000);
  return {
    subscriptionId: subscription_id,
    customerUid: customer_uid,
    memberId: member_id,
    name,
    amount,
    currency,
    interval,
    firstPaymentAt: new Date(seconds * 1000),
    ...toPaymentFields(body),
  };
}

export const subscriptionSchema = z
  .strictObject({
    ...subscriptionRow.shape,
    ...storedFieldsShape,
    next_payment_at: time
      .nullable()
      .meta({ description: 'Null while it is paused, and once it is cancelled or ended.' }),
    pending_change: z
      .strictObject({
        customer_uid: z.string().nullable(),
        amount: z.int().positive().nullable(),
        name: z.string().nullable(),
        pause: z.boolean(),
      })
      .nullable()
      .meta({
        description:
          'What was asked for and does not hold yet: a payment is under way, has failed and is retried, or its schedule could not be revoked yet. A field is null if it stays as it is. Null if nothing waits.',
      }),
    current_order: z
      .strictObject({
        merchant_uid: z.string(),
        status: z.enum(OrderStatus),
        charge: z.string().nullable().meta({
          description: 'The status of its latest charge: `scheduled` while the service holds its schedule.',
        }),
        charge_reason: z.string().nullable().meta({
          description:
            'Why that charge or schedule was not made: the words of the service, or a code of ours; null otherwise.',
        }),
      })
      .nullable()
      .meta({ description: 'The order of this cycle; null until it is registered.' }),
  })
  .meta({ id: 'Subscription', description: 'A plan that renews.' });

export function subscriptionJson(
  subscription: StoredSubscription,
  cycle: Cycle,
): z.output<typeof subscriptionSchema> {
  const live = isLive(subscription);
  const charged = isCharged(subscription);
  const { nextCustomerUid, nextAmount, nextName, isPausing } = subscription;
  return {
    ...subscriptionRow.json({
      ...subscription,
      memberId: subscription.memberId || null,
      needsPerson: charged ? subscription.needsPerson : null,
      needsPersonSince: charged ? subscription.needsPersonSince : null,
    }),
    ...storedFieldsJson({ ...subscription, cardQuota: null, taxFree: null }),
    next_payment_at: charged ? subscription.paymentAt.toISOString() : null,
    pending_change:
      live && (isPausing || hasTermsToCome(subscription))
        ? {
            customer_uid: nextCustomerUid,
            amount: nextAmount === null ? null : Number(nextAmount),
            name: nextName,
            pause: isPausing,
          }
        : null,
    current_order: cycle.order && {
      merchant_uid: cycle.merchantUid,
      status: cycle.order.status,
      charge: cycle.latestCharge,
      charge_reason: cycle.latestReason,
    },
  };
}

export const newSubscriptionExample = {
  subscription_id: 'tea-member-7',
  customer_uid: 'member-7-card-1',
  member_id: 'member-7',
  name: 'Tea of the month',
  amount: 15_000,
  interval: 'month',
  first_payment_at: '2035-01-31T09:00:00+09:00',
} satisfies z.input<typeof newSubscriptionSchema>;

export const subscriptionExample = {
  ...subscriptionRow.example,
  buyer: null,
  custom_data: null,
  pending_change: null,
  next_payment_at: subscriptionRow.example.first_payment_at,
  current_order: {
    merchant_uid: 'tea-member-7-1',
    status: 'open',
    charge: 'scheduled',
    charge_reason: null,
  },
} satisfies z.input<typeof subscriptionSchema>;

export const cancelledSubscriptionExample = {
  ...subscriptionExample,
  status: 'cancelled',
  next_payment_at: null,
  current_order: { ...subscriptionExample.current_order, status: 'closed', charge: 'revoked' },
  end_reason: 'cancelled',
  updated_at: '2035-01-10T05:00:00.000Z',
} satisfies z.input<typeof subscriptionSchema>;

export const subscriptionChangeExample = { amount: 18_000 } satisfies z.input<
  typeof subscriptionChangeSchema
>;

/** The order of the cycle was closed, and the next one has its date. */
export const changedSubscriptionExample = {
  ...subscriptionExample,
  ...subscriptionChangeExample,
  cycle: 2,
  current_order: { ...subscriptionExample.current_order, merchant_uid: 'tea-member-7-2' },
  updated_at: '2035-01-10T05:00:00.000Z',
} satisfies z.input<typeof subscriptionSchema>;

export const pausedSubscriptionExample = {
  ...changedSubscriptionExample,
  status: 'paused',
  next_payment_at: null,
  current_order: null,
} satisfies z.input<typeof subscriptionSchema>;

/** A payment is under way. */
export const toBePausedExample = {
  ...subscriptionExample,
  pending_change: { customer_uid: null, amount: null, name: null, pause: true },
} satisfies z.input<typeof subscriptionSchema>;
