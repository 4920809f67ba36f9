// An event as the merchant's own systems see it: what the shop was told, and what became of it.

import { z } from 'zod';
import { keysetPageSchema } from '../../platform/http/query';
import { toShopEvent, type StoredEventWithDeliveries } from './event-store';

const time = z.iso.datetime();

const deliverySchema = z.strictObject({
  target: z.enum(['handler', 'url']).meta({
    description: '`handler`: shop/on-order-event.ts. `url`: ORDER_EVENTS_URL.',
  }),
  state: z.enum(['waiting', 'delivered', 'given_up']),
  attempts: z.int().min(0),
  next_attempt_at: time.nullable(),
  delivered_at: time.nullable(),
  reason: z.string().nullable().meta({ description: 'Why the last attempt failed; null otherwise.' }),
});

export const eventSchema = z
  .strictObject({
    position: z.string().nullable().meta({
      description: 'Its place in the list: `after` takes it. Null for a moment, until it is published.',
    }),
    id: z.string().meta({
      description:
        '`{merchant_uid}:{version}`, or `subscription:{subscription_id}:{version}`; the same when it is sent again.',
    }),
    type: z.string().meta({ description: 'Such as `order.paid`. Leave out those that you do not know.' }),
    timestamp: time.meta({ description: 'When it happened.' }),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'Of an order: `status`, `previous_status`, `version`, `amount`, `refunded_amount`, `refund` (`amount`, `total`, `refund_id`; null where nothing was given back), `subscription_id` (null where the order is of no plan) and others: docs/guides/order-events.md. Of a subscription: docs/guides/subscriptions.md.',
    }),
    deliveries: z.array(deliverySchema),
  })
  .meta({ id: 'Event', description: 'A change of an order or a subscription, as the shop is told of it.' });

export const eventListSchema = keysetPageSchema(eventSchema, 'EventList');

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
