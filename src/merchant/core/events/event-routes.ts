// GET /api/events: what the shop was told, for systems that prefer to ask. POST /api/events/{event_id}/replay: once more.

import { z } from 'zod';
import { isMerchantUid } from '../../payment-service/identifiers';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { flag, keysetQuery } from '../../platform/http/query';
import { platformErrors } from '../../platform/platform-errors';
import { eventErrors } from './errors';
import { eventExample } from './event-examples';
import { eventJson, eventListSchema, eventSchema } from './event-schema';
import { findEvents, publishEvents } from './event-store';
import { replayEvent } from './replay-event';
import { deliverSoon } from './save-events';

export const eventsQuery = z.object({
  merchant_uid: z
    .string()
    .refine(isMerchantUid, 'is no merchant_uid')
    .optional()
    .meta({ description: 'Of this order.' }),
  subscription_id: z
    .string()
    .refine(isMerchantUid, 'is no subscription_id')
    .optional()
    .meta({ description: 'Events of this subscription itself, and not of its orders.' }),
  undelivered: flag.optional().meta({ description: 'Whether a target has not taken it.' }),
  limit: keysetQuery.limit,
  after: z
    .string()
    .regex(/^\d{1,18}$/, 'must be the "position" of an event, or 0')
    .optional()
    .meta({
      description: '`position` of the last event that you have handled; 0 or absent: from the beginning.',
    }),
});

export const eventRoutes: ApiRoute[] = [
  apiRoute({
    method: 'get',
    path: '/api/events',
    summary: 'Events of orders and subscriptions from a place on, the oldest first',
    query: eventsQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: eventListSchema,
        example: { list: [eventExample], next: null },
      },
    },
    handle: async (context, { query }) => ({ body: await listEvents(context, query) }),
  }),
  apiRoute({
    method: 'post',
    path: '/api/events/{event_id}/replay',
    summary: 'Deliver an event once more, to every target',
    answers: { 202: { description: 'It is due again.', schema: eventSchema, example: eventExample } },
    errors: [eventErrors.event_not_found],
    async handle(context, { params, log }) {
      const event = await replayEvent(context, params.event_id);
      if (!event) throw new HttpError(eventErrors.event_not_found);
      log({ event_id: params.event_id });
      deliverSoon(context);
      return { status: 202, body: eventJson(event) };
    },
  }),
];

export async function listEvents(context: Context, query: z.output<typeof eventsQuery>) {
  const { after, undelivered, limit } = query;
  const stream = streamOf(query);
  // What has just happened is in the answer, and nothing can come before it any more.
  await publishEvents(context);
  const filter = { after: after === undefined ? null : BigInt(after), stream, undelivered };
  const events = await findEvents(context, filter, limit + 1);
  const list = events.slice(0, limit).map(eventJson);
  return { list, next: events.length > limit ? (list.at(-1)?.position ?? null) : null };
}

/** Each event is of one stream: an order, or a subscription. */
function streamOf({ merchant_uid, subscription_id }: z.output<typeof eventsQuery>): string | undefined {
  if (subscription_id === undefined) return merchant_uid;
  if (merchant_uid !== undefined)
    throw new HttpError(platformErrors.invalid_request, 'subscription_id: not together with merchant_uid');
  return `subscription:${subscription_id}`;
}
