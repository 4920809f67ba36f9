// A subscription in the requests and answers of the JSON API.

import { z } from 'zod';
import {
  NeedsPerson,
  OrderStatus,
  SubscriptionInterval,
  SubscriptionStatus,
} from '../../../generated/prisma/client';
import { customerUidField } from '../../core/charges/charge-schema';
import { memberIdField, orderShape } from '../../core/orders/order-schema';
import { isMerchantUid } from '../../payment-service/identifiers';
import { defineErrors } from '../../platform/errors';
import { strictBody } from '../../platform/http/body-fields';
import { isoTime } from '../../platform/http/query';
import type { Cycle } from './cycle-store';
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

const time = z.iso.datetime();

export const subscriptionSchema = z
  .strictObject({
    subscription_id: z.string(),
    customer_uid: z.string(),
    member_id: z.string().nullable().meta({ description: 'Null once the member was erased.' }),
    name: z.string(),
    amount: z.int().positive(),
    currency: z.string(),
    interval: z.enum(SubscriptionInterval),
    first_payment_at: time,
    status: z
      .enum(SubscriptionStatus)
      .meta({ description: '`past_due`: a payment has failed and is retried.' }),
    cycle: z.int().positive().meta({ description: 'The number of the period that is paid next, from 1.' }),
    attempt: z.int().min(0).max(3).meta({ description: 'How often its payment was retried.' }),
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
    needs_person: z.enum(NeedsPerson).nullable().meta({
      description:
        'Why the plan needs a person, by its last check; null if it does not. `charge_needs_review`: a charge of the order needs one. `order_conflict`: the order is registered with other content. `order_not_paid`: a charge was paid but does not count for the order. `schedule_refused`: the service refuses to schedule a payment that is due within a day; `charge_reason` has its words.',
    }),
    needs_person_since: time.nullable().meta({ description: 'Since when, for this reason.' }),
    end_reason: z.string().nullable().meta({
      description:
        '`cancelled`, `declined`, `refused`, `billing_key_not_active` or `order_closed`; null before.',
    }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Subscription', description: 'A plan that renews.' });

export function subscriptionJson(
  subscription: StoredSubscription,
  cycle: Cycle,
): z.output<typeof subscriptionSchema> {
  const { status, paymentAt, needsPerson, needsPersonSince } = subscription;
  const live = isLive(subscription);
  return {
    subscription_id: subscription.subscriptionId,
    customer_uid: subscription.customerUid,
    member_id: subscription.memberId === '' ? null : subscription.memberId,
    name: subscription.name,
    amount: Number(subscription.amount),
    currency: subscription.currency,
    interval: subscription.interval,
    first_payment_at: subscription.firstPaymentAt.toISOString(),
    status,
    cycle: subscription.cycle,
    attempt: subscription.attempt,
    next_payment_at: live ? paymentAt.toISOString() : null,
    current_order: cycle.order && {
      merchant_uid: cycle.merchantUid,
      status: cycle.order.status,
      charge: cycle.latestCharge,
      charge_reason: cycle.latestReason,
    },
    needs_person: live ? needsPerson : null,
    needs_person_since: (live && needsPersonSince?.toISOString()) || null,
    end_reason: subscription.endReason,
    created_at: subscription.createdAt.toISOString(),
    updated_at: subscription.updatedAt.toISOString(),
  };
}

const FIRST_PAYMENT_AT = '2035-01-31T00:00:00.000Z';

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
  ...newSubscriptionExample,
  currency: 'KRW',
  first_payment_at: FIRST_PAYMENT_AT,
  status: 'active',
  cycle: 1,
  attempt: 0,
  next_payment_at: FIRST_PAYMENT_AT,
  current_order: {
    merchant_uid: 'tea-member-7-1',
    status: 'open',
    charge: 'scheduled',
    charge_reason: null,
  },
  needs_person: null,
  needs_person_since: null,
  end_reason: null,
  created_at: '2034-12-20T05:00:00.000Z',
  updated_at: '2034-12-20T05:00:01.000Z',
} satisfies z.input<typeof subscriptionSchema>;

export const cancelledSubscriptionExample = {
  ...subscriptionExample,
  status: 'cancelled',
  next_payment_at: null,
  current_order: { ...subscriptionExample.current_order, status: 'closed', charge: 'revoked' },
  end_reason: 'cancelled',
  updated_at: '2035-01-10T05:00:00.000Z',
} satisfies z.input<typeof subscriptionSchema>;
