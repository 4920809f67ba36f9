// GET /api/events: the event log, for systems that prefer to poll. POST /api/events/{event_id}/replay delivers one
// again.

import { z } from 'zod';
import { isCustomerUid, isMerchantUid } from '../../payment-service/identifiers';
import { defineErrors, HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { defineList, listRoute, type Cursor } from '../../platform/http/list';
import { flag, ofOrder } from '../../platform/http/query';
import { FieldError } from '../../platform/platform-errors';
import { replayEvent } from './deliver-events';
import {
  findEvents,
  publishEvents,
  toShopEvent,
  type EventFilter,
  type StoredEventWithDeliveries,
} from './event-store';
import { deliverSoon } from './save-events';

export const eventErrors = defineErrors({
  event_not_found: {
    status: 404,
    message: 'No event has this id.',
    remedy: 'See GET /api/events for those that there are.',
  },
});

const time = z.iso.datetime();

const deliverySchema = z.strictObject({
  target: z.string().meta({
    description:
      'A name of shop/on-order-event.ts (`handler` where it is one function), or `url`: ORDER_EVENTS_URL.',
  }),
  state: z.enum(['waiting', 'delivered', 'given_up']),
  attempts: z.int().min(0),
  next_attempt_at: time.nullable(),
  delivered_at: time.nullable(),
  reason: z.string().nullable().meta({ description: 'Why the last attempt failed; null otherwise.' }),
});

const eventSchema = z
  .strictObject({
    position: z.string().nullable().meta({
      description: 'Its place in the list: `after` takes it. Null for a moment, until it is published.',
    }),
    id: z.string().meta({
      description:
        '`{merchant_uid}:{version}`, `subscription:{subscription_id}:{version}` or `card:{customer_uid}:{version}`; the same when it is sent again.',
    }),
    type: z.string().meta({ description: 'Such as `order.paid`. Leave out those that you do not know.' }),
    timestamp: time.meta({ description: 'When it happened.' }),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'Of an order: `status`, `previous_status`, `version`, `amount`, `refunded_amount`, `refund` (`amount`, `total`, `refund_id`; null where nothing was refunded), `subscription_id` (null where the order is of no plan) and others: docs/03-guides/4-order-events.md. Of a schedule that could not be revoked, among the events of its order: `charge_id`, `schedule_at`, `reason`. Of a card: `customer_uid`, `member_id`, `version`, `card_name`, `card_number` (masked). Of a subscription: docs/03-guides/6-subscriptions.md.',
    }),
    deliveries: z.array(deliverySchema),
  })
  .meta({
    id: 'Event',
    description: 'A change of an order, a subscription or a card, as the shop receives it.',
  });

export function eventJson(stored: StoredEventWithDeliveries): z.output<typeof eventSchema> {
  const { type, data, ...event } = toShopEvent(stored);
  return {
    position: stored.position === null ? null : String(stored.position),
    ...event,
    type,
    data: { ...data },
    deliveries: stored.deliveries.map(({ target, attempts, nextAttemptAt, deliveredAt, reason }) => ({
      target,
      state: nextAttemptAt !== null ? 'waiting' : deliveredAt !== null ? 'delivered' : 'given_up',
      attempts,
      next_attempt_at: nextAttemptAt?.toISOString() ?? null,
      delivered_at: deliveredAt?.toISOString() ?? null,
      reason,
    })),
  };
}

const targetName = z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/, 'is no name of a target');

const byPosition: Cursor<{ position: bigint | null }, bigint> = {
  text: z.string().regex(/^\d{1,18}$/, 'must be the "position" of an event, or 0'),
  description: '`position` of the last event that you have handled; 0 or absent: from the beginning.',
  // Listed events always have a position.
  toText: ({ position }) => String(position),
  toPlace: BigInt,
};

const FILTERS = {
  merchant_uid: ofOrder,
  subscription_id: z
    .string()
    .refine(isMerchantUid, 'is no subscription_id')
    .optional()
    .meta({ description: 'Events of this subscription itself, and not of its orders.' }),
  customer_uid: z
    .string()
    .refine(isCustomerUid, 'is no customer_uid')
    .optional()
    .meta({ description: 'Events of this card.' }),
  undelivered: flag.optional().meta({ description: 'Whether a target has not taken it.' }),
  target: targetName.optional().meta({ description: 'Only this target counts.' }),
};

/** Systems that poll read from the oldest one on, and people look at the newest ones. */
export function eventsFrom(end: EventFilter['from']) {
  return defineList({
    filters: FILTERS,
    cursor: byPosition,
    async find(context, { after, undelivered, target, ...ids }, take) {
      const stream = streamOf(ids);
      // Includes events that have just happened. No event can later appear before them.
      await publishEvents(context);
      return findEvents(context, { from: end, after, stream, undelivered, target }, take);
    },
    json: eventJson,
  });
}

export const eventList = eventsFrom('oldest');

type Ids = {
  merchantUid?: string | undefined;
  subscriptionId?: string | undefined;
  customerUid?: string | undefined;
};

/** Each event belongs to one stream: an order, a subscription or a card. */
function streamOf({ merchantUid, subscriptionId, customerUid }: Ids): string | undefined {
  const asked = (
    [
      ['merchant_uid', merchantUid, merchantUid],
      ['subscription_id', subscriptionId, `subscription:${subscriptionId}`],
      ['customer_uid', customerUid, `card:${customerUid}`],
    ] as const
  ).filter(([, id]) => id !== undefined);
  const [first, second] = asked;
  if (first && second) throw new FieldError(second[0], `not together with ${first[0]}`);
  return first?.[2];
}

const TIME = '2026-11-21T09:00:02.000Z';
const delivered = {
  state: 'delivered',
  attempts: 1,
  next_attempt_at: null,
  delivered_at: TIME,
  reason: null,
} as const;

const eventExample = {
  position: '17',
  id: 'order-1001:1',
  type: 'order.paid',
  timestamp: TIME,
  data: {
    merchant_uid: 'order-1001',
    status: 'paid',
    previous_status: 'open',
    version: 1,
    amount: 12_000,
    currency: 'KRW',
    member_id: 'member-7',
    svc_uid: 'svc_20261121a7f3',
    refunded_amount: 0,
    refund: null,
    subscription_id: null,
  },
  deliveries: [
    { target: 'handler', ...delivered },
    { target: 'url', ...delivered },
  ],
} satisfies z.input<typeof eventSchema>;

export const eventRoutes: ApiRoute[] = [
  listRoute(eventList, {
    path: '/api/events',
    summary: 'Events of orders, subscriptions and cards from a place on, the oldest first',
    id: 'EventList',
    item: eventSchema,
    example: eventExample,
  }),
  apiRoute({
    method: 'post',
    path: '/api/events/{event_id}/replay',
    scope: 'orders',
    summary: 'Deliver an event once more, to every target or to one',
    query: z.object({ target: targetName.optional().meta({ description: 'Absent: every target.' }) }),
    answers: { 202: { description: 'It is due again.', schema: eventSchema, example: eventExample } },
    errors: [eventErrors.event_not_found],
    async handle(context, { params, query: { target }, log }) {
      const event = await replayEvent(context, params.event_id, (_event, targets) => only(target, targets));
      if (!event) throw new HttpError(eventErrors.event_not_found);
      log({ event_id: params.event_id, ...(target !== undefined && { target }) });
      deliverSoon(context);
      return { status: 202, body: eventJson(event) };
    },
  }),
];

function only(target: string | undefined, targets: string[]): string[] {
  if (target === undefined) return targets;
  if (targets.includes(target)) return [target];
  throw new FieldError('target', `is none of ${targets.join(', ')}`);
}
