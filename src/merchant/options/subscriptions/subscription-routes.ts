// The routes of subscriptions: create, read, change, pause, resume, cancel.

import { z } from 'zod';
import { SubscriptionStatus } from '../../../generated/prisma/client';
import { needsPersonField } from '../../core/attempts/attempt-schema';
import { chargeErrors, KEY_PROBLEMS } from '../../core/charges/charge-response';
import { memberIdField, orderErrors } from '../../core/orders/order-schema';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { byTime, defineList, listRoute } from '../../platform/http/list';
import { FieldError, platformErrors } from '../../platform/platform-errors';
import { cancelSubscription, type SubscriptionCancelling } from './cancel-subscription';
import {
  changeSubscriptionTerms,
  pauseSubscription,
  resumeSubscription,
  type SubscriptionChanging,
} from './change-subscription';
import { createSubscription } from './create-subscription';
import { readCycle, readCycles } from './cycle-store';
import {
  cancelledSubscriptionExample,
  changedSubscriptionExample,
  isSubscriptionId,
  newSubscriptionExample,
  newSubscriptionSchema,
  pausedSubscriptionExample,
  subscriptionChangeExample,
  subscriptionChangeSchema,
  subscriptionErrors,
  subscriptionExample,
  subscriptionJson,
  subscriptionSchema,
  toBePausedExample,
  toNewSubscription,
  toTermsWanted,
} from './subscription-schema';
import { findSubscription, findSubscriptions, type StoredSubscription } from './subscription-store';

export const subscriptionList = defineList({
  filters: {
    member_id: memberIdField.optional().meta({ description: 'Of this member.' }),
    status: z.enum(SubscriptionStatus).optional(),
    needs_person: needsPersonField,
  },
  cursor: byTime('createdAt', 'subscriptionId'),
  async find(context, filter, take) {
    const found = await findSubscriptions(context, filter, take);
    const cycles = await readCycles(context, found);
    return found.flatMap((subscription, index) => {
      const cycle = cycles[index];
      return cycle ? [{ ...subscription, json: subscriptionJson(subscription, cycle) }] : [];
    });
  },
  json: ({ json }) => json,
});

const CHANGE_ERRORS = [
  subscriptionErrors.subscription_not_found,
  subscriptionErrors.subscription_over,
  chargeErrors.charge_pending,
];

export const subscriptionRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/subscriptions',
    scope: 'charge',
    summary: 'Create a plan that renews: each cycle is an order, paid with a stored billing key',
    body: newSubscriptionSchema,
    example: newSubscriptionExample,
    answers: {
      201: {
        description: 'Created; `current_order` shows what is scheduled.',
        schema: subscriptionSchema,
        example: subscriptionExample,
      },
      200: {
        description: 'It existed with the same content; nothing has changed.',
        schema: subscriptionSchema,
        example: subscriptionExample,
      },
    },
    errors: [
      ...Object.values(KEY_PROBLEMS),
      subscriptionErrors.subscription_conflict,
      orderErrors.order_conflict,
    ],
    async handle(context, { body, log }) {
      const wanted = toNewSubscription(body);
      const result = await createSubscription(context, wanted);
      log({ subscription_id: wanted.subscriptionId, outcome: result.kind });
      switch (result.kind) {
        case 'created':
          return { status: 201, body: await respond(context, result.subscription) };
        case 'known':
          return { body: await respond(context, result.subscription) };
        case 'subscription_conflict':
          throw new HttpError(subscriptionErrors.subscription_conflict);
        case 'order_conflict':
          throw new HttpError(
            orderErrors.order_conflict,
            `The order ${wanted.subscriptionId}-1 is there already.`,
          );
        case 'first_payment_past':
          throw new FieldError('first_payment_at', 'must not be past');
        case 'first_payment_too_far':
          throw new FieldError('first_payment_at', 'must be within ten years');
        case 'key_not_found':
        case 'key_not_active':
        case 'key_of_another_member':
          throw new HttpError(KEY_PROBLEMS[result.kind]);
      }
    },
  }),
  listRoute(subscriptionList, {
    path: '/api/subscriptions',
    summary: 'Subscriptions, the newest first',
    id: 'SubscriptionList',
    item: subscriptionSchema,
    example: subscriptionExample,
  }),
  apiRoute({
    method: 'get',
    path: '/api/subscriptions/{subscription_id}',
    scope: 'read',
    summary: 'A subscription with the order of its current cycle',
    answers: {
      200: { description: 'The subscription.', schema: subscriptionSchema, example: subscriptionExample },
    },
    errors: [subscriptionErrors.subscription_not_found],
    async handle(context, { params }) {
      const subscription = isSubscriptionId(params.subscription_id)
        ? await findSubscription(context, params.subscription_id)
        : null;
      if (!subscription) throw new HttpError(subscriptionErrors.subscription_not_found);
      return { body: await respond(context, subscription) };
    },
  }),
  apiRoute({
    method: 'post',
    path: '/api/subscriptions/{subscription_id}/change',
    scope: 'charge',
    summary: 'Change the card, amount or name of a subscription from the next cycle on',
    description:
      'A schedule that waits is revoked, its order is closed, and the next cycle takes its date. If only the card changes, the order stays.',
    body: subscriptionChangeSchema,
    example: subscriptionChangeExample,
    answers: {
      200: {
        description: 'It holds from the next payment on; also if nothing differs.',
        schema: subscriptionSchema,
        example: changedSubscriptionExample,
      },
      202: {
        description: 'Written: `pending_change` shows what takes effect once the cycle allows it.',
        schema: subscriptionSchema,
        example: {
          ...toBePausedExample,
          pending_change: { customer_uid: null, amount: 18_000, name: null, pause: false },
        },
      },
    },
    errors: [...CHANGE_ERRORS, ...Object.values(KEY_PROBLEMS)],
    async handle(context, { params, body, log }) {
      const id = knownId(params.subscription_id);
      return respondChanged(context, log, await changeSubscriptionTerms(context, id, toTermsWanted(body)));
    },
  }),
  apiRoute({
    method: 'post',
    path: '/api/subscriptions/{subscription_id}/pause',
    scope: 'charge',
    summary: 'Pause a subscription: its schedule is revoked, and nothing is charged until it is resumed',
    description: 'A failed payment is not tried again, also after it is resumed: its order is closed.',
    answers: {
      200: {
        description: 'It is paused, now or already before.',
        schema: subscriptionSchema,
        example: pausedSubscriptionExample,
      },
      202: {
        description:
          'A payment is under way, or the schedule could not be revoked yet: it is paused as soon as that ends.',
        schema: subscriptionSchema,
        example: toBePausedExample,
      },
    },
    errors: CHANGE_ERRORS,
    async handle(context, { params, log }) {
      return respondChanged(context, log, await pauseSubscription(context, knownId(params.subscription_id)));
    },
  }),
  apiRoute({
    method: 'post',
    path: '/api/subscriptions/{subscription_id}/resume',
    scope: 'charge',
    summary: 'Resume a paused subscription with the first date of its calendar that lies ahead',
    description: 'Periods that passed while it was paused are skipped, with their numbers.',
    answers: {
      200: {
        description: 'It is not paused, now or already before.',
        schema: subscriptionSchema,
        example: changedSubscriptionExample,
      },
    },
    errors: CHANGE_ERRORS,
    async handle(context, { params, log }) {
      return respondChanged(context, log, await resumeSubscription(context, knownId(params.subscription_id)));
    },
  }),
  apiRoute({
    method: 'post',
    path: '/api/subscriptions/{subscription_id}/cancel',
    scope: 'charge',
    summary: 'Cancel a subscription: its schedule is revoked, and nothing more is charged',
    answers: {
      200: {
        description: 'It is cancelled or ended, now or already before.',
        schema: subscriptionSchema,
        example: cancelledSubscriptionExample,
      },
    },
    errors: [
      subscriptionErrors.subscription_not_found,
      chargeErrors.charge_pending,
      chargeErrors.charge_needs_review,
      platformErrors.service_unavailable,
    ],
    async handle(context, { params, log }) {
      const result = await cancelSubscription(context, knownId(params.subscription_id));
      log({ subscription_id: params.subscription_id, outcome: result.kind });
      return { body: await respond(context, cancelledOf(result)) };
    },
  }),
];

async function respond(context: Context, subscription: StoredSubscription) {
  return subscriptionJson(subscription, await readCycle(context, subscription));
}

function knownId(id: string): string {
  if (!isSubscriptionId(id)) throw new HttpError(subscriptionErrors.subscription_not_found);
  return id;
}

async function respondChanged(
  context: Context,
  log: (fields: { outcome: string }) => void,
  result: SubscriptionChanging,
) {
  log({ outcome: result.kind });
  const subscription = changedOf(result);
  return { status: result.kind === 'waiting' ? 202 : 200, body: await respond(context, subscription) };
}

/** @throws HttpError if nothing was changed */
export function changedOf(result: SubscriptionChanging): StoredSubscription {
  switch (result.kind) {
    case 'done':
    case 'waiting':
      return result.subscription;
    case 'subscription_not_found':
    case 'subscription_over':
      throw new HttpError(subscriptionErrors[result.kind]);
    case 'subscription_busy':
      throw new HttpError(chargeErrors.charge_pending);
    case 'key_not_found':
    case 'key_not_active':
    case 'key_of_another_member':
      throw new HttpError(KEY_PROBLEMS[result.kind]);
  }
}

/** @throws HttpError if it was not cancelled */
export function cancelledOf(result: SubscriptionCancelling): StoredSubscription {
  switch (result.kind) {
    case 'cancelled':
      return result.subscription;
    case 'subscription_not_found':
      throw new HttpError(subscriptionErrors.subscription_not_found);
    case 'charge_pending':
    case 'charge_needs_review':
      throw new HttpError(chargeErrors[result.kind]);
    case 'service_unavailable':
      throw new HttpError(platformErrors.service_unavailable);
  }
}
