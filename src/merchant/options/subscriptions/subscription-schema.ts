// A subscription in the requests and answers of the JSON API.

import { z } from 'zod';
import { OrderStatus, SubscriptionInterval } from '../../../generated/prisma/client';
import { customerUidField } from '../../core/charges/charge-schema';
import { memberIdField, orderShape } from '../../core/orders/order-schema';
import { isMerchantUid } from '../../payment-service/identifiers';
import { defineErrors } from '../../platform/errors';
import { strictBody } from '../../platform/http/body-fields';
import { isoTime } from '../../platform/http/query';
import { time } from '../../platform/row';
import type { Cycle } from './cycle-store';
import { subscriptionRow } from './row';
import { isLive, type NewSubscription, type StoredSubscription } from './subscription-store';

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
    remedy: 'Use a new subscription_id for another subscription; cancel the old one if it is replaced.',
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
  first_payment_at: isoTime.meta({ description: 'Now or later. Days are those of Seoul.' }),
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
  };
}

export const subscriptionSchema = z
  .strictObject({
    ...subscriptionRow.shape,
    next_payment_at: time.nullable().meta({ description: 'Null when it is cancelled or ended.' }),
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
  return {
    ...subscriptionRow.json({
      ...subscription,
      memberId: subscription.memberId || null,
      needsPerson: live ? subscription.needsPerson : null,
      needsPersonSince: live ? subscription.needsPersonSince : null,
    }),
    next_payment_at: live ? subscription.paymentAt.toISOString() : null,
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
