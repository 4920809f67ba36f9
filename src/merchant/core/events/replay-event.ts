// An event is sent again because a person wants it: the target was away for longer than three days, or has lost it.

import type { Context } from '../../platform/context';
import { findEvent, publishEvents, resetDeliveries, type StoredEventWithDeliveries } from './event-store';

/**
 * Makes an event due again for every target. It does not wait for the events that were delivered after it.
 * @param id `{merchant_uid}:{version}`
 * @returns null if there is none
 */
export async function replayEvent(context: Context, id: string): Promise<StoredEventWithDeliveries | null> {
  const event = await findEvent(context, id);
  if (!event) return null;
  // One that is not published yet has no deliveries to reset, and publishing makes it due.
  await publishEvents(context);
  await resetDeliveries(context, event.id);
  return findEvent(context, id);
}
