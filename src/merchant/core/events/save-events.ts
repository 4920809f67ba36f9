// Writes events in the transaction of their change, and triggers the delivery job. Callers do not wait for it. If the
// trigger fails, the job still runs every minute.

import { Prisma } from '../../../generated/prisma/client';
import { EVERY_MINUTE } from '../../platform/clock';
import type { Context } from '../../platform/context';
import type { Statements } from '../../platform/database-transaction';
import type { RecurringJob } from '../../platform/jobs';
import type { ShopEvent } from '../../shop/event';

export type NewEvent<Event extends ShopEvent = ShopEvent> = {
  /** `{merchant_uid}`, `subscription:{subscription_id}`, or `card:{customer_uid}`. */
  stream: string;
  version: number;
  type: Event['type'];
  data: Event['data'];
  occurredAt: Date;
};

export async function saveEvents(run: Statements, events: readonly NewEvent[]): Promise<void> {
  const statement = insertEvents(events);
  if (statement) await run.$executeRaw`${statement}`;
}

/**
 * The statement that saves events; null if there are none. If an order was deleted by hand and registered again, its
 * versions may already have events. The new event replaces the old one, so that a payment never fails because of it.
 */
export function insertEvents(events: readonly NewEvent[]): Prisma.Sql | null {
  if (events.length === 0) return null;
  return Prisma.sql`/* save-events */
    insert into events (stream, version, type, data, occurred_at)
    select stream, version, type, data, "occurredAt"
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as e (stream text, version int, type text, data jsonb, "occurredAt" timestamptz)
    on conflict (stream, version) do update
    set type = excluded.type, data = excluded.data, occurred_at = excluded.occurred_at, position = null`;
}

/**
 * The next version of a row. A row that was restored, or registered again after a restore, may have versions that
 * already had events. After a restore, versions start at a floor (restore-store.ts).
 * @param row an alias with version
 */
export const nextVersion = (row: 'o' | 's' | 'k') =>
  Prisma.raw(`greatest(${row}.version, (select last_value from event_version_floor)::int) + 1`);

/** SQL: the subscription that the order `o` pays for; null if there is none. */
export function subscriptionOfOrder({ features }: Pick<Context, 'features'>): Prisma.Sql {
  const known = features.find((feature) => feature.subscriptionOfOrder !== undefined);
  return known?.subscriptionOfOrder ?? Prisma.raw('null::text');
}

export const DELIVER_EVENTS: RecurringJob = { name: 'deliver-events', crontab: EVERY_MINUTE, priority: 1 };

/** Returns at once. */
export function deliverSoon({ jobs, logger }: Context): void {
  jobs.runSoon(DELIVER_EVENTS).catch((error: unknown) => {
    logger.warn({ event: 'event_delivery_not_enqueued', err: error });
  });
}
