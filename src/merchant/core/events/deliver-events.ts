// Job `deliver-events`: delivers events to the shop. Each event is delivered at least once to each target, and the
// events of a stream are delivered in order.

import { runTogether } from '../../platform/batch';
import { within } from '../../platform/clock';
import { stateOf, type Context } from '../../platform/context';
import { drainDueRows } from '../../platform/drain-due-rows';
import type { CounterRows } from '../../platform/metrics';
import {
  claimDeliveries,
  findEvent,
  giveUpUnknownTargets,
  publishEvents,
  resetDeliveries,
  saveDelivery,
  type ClaimedDelivery,
  type StoredEventWithDeliveries,
} from './event-store';
import { handlersOf, targetsOf, type Handler } from './handlers';
import { postEvent, type PostOutcome } from './post-event';

export const eventCounters = {
  deliveries: {
    name: 'merchant_event_deliveries_total',
    help: 'Attempts to deliver an event of an order, by target and result (delivered, or why not).',
    labels: ['target', 'result'],
  },
} as const satisfies CounterRows;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The example gaps of Standard Webhooks: more than three days in total. */
const GAPS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/**
 * When to deliver an event again after a failure.
 * @param attempts the number of failed attempts so far
 * @returns null after the last one
 */
export function nextDeliveryAt(attempts: number, now: Date): Date | null {
  const gap = GAPS_MS[attempts - 1];
  return gap === undefined ? null : new Date(now.getTime() + gap);
}

/** Concurrent deliveries of a process to one target: one that hangs takes no place of another. */
const AT_ONCE_TO_ONE = 50;
/** Concurrent deliveries of a process. Many targets share them equally. */
const AT_ONCE = 200;
/** Enough for a target to go on with other orders while one of them hangs. */
const AT_ONCE_AT_LEAST = 10;

function placesOfEach(targets: number): number {
  return Math.max(AT_ONCE_AT_LEAST, Math.min(AT_ONCE_TO_ONE, Math.floor(AT_ONCE / targets)));
}
/** Events within this time are claimed together. */
const COLLECT_MS = 100;
/** Longer than most receivers need. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** Longer than any attempt, so another process claims a delivery again only if this process has died. */
const LEASE_MS = 60_000;

type DeliverOptions = { stopping?: AbortSignal; timeoutMs?: number };

/** The loops that are running. */
const createLoops = () => new Set<Promise<void>>();

/**
 * Delivers due events until none is left. Each target has a loop of its own in each process, so one that hangs does
 * not delay the others. The first call waits for all loops, also those that a later call has begun, so that slow
 * targets occupy one place of the job engine, not all of them.
 * @param options `stopping` is aborted when this process stops; `timeoutMs` is for one attempt
 * @throws DatabaseError if the due deliveries could not be read
 */
export async function deliverEvents(context: Context, options: DeliverOptions = {}): Promise<void> {
  const loops = stateOf(context, createLoops);
  const isFirst = loops.size === 0;
  const targets = targetsOf(context);
  for (const target of targets) {
    const loop = deliverTo(context, target, placesOfEach(targets.length), options);
    loops.add(loop);
    // A failed one stays until the first call has seen its error.
    loop.then(() => loops.delete(loop)).catch(() => undefined);
  }
  if (!isFirst) return;
  let failure: PromiseRejectedResult | undefined;
  while (loops.size > 0) {
    const waited = [...loops];
    const results = await Promise.allSettled(waited);
    failure ??= results.find((each) => each.status === 'rejected');
    for (const each of waited) loops.delete(each);
  }
  if (failure) throw failure.reason;
}

async function deliverTo(
  context: Context,
  target: string,
  atOnce: number,
  { stopping, timeoutMs = ATTEMPT_TIMEOUT_MS }: DeliverOptions,
): Promise<void> {
  let isFull = false;
  await drainDueRows(context, {
    kind: `events to ${target}`,
    atOnce,
    gapMs: COLLECT_MS,
    async claim(places: number) {
      // If due deliveries fill all slots, new events are published later.
      if (!isFull) await runTogether(context, publishOnce, undefined);
      const claimed = await claim(context, { limit: places, targets: [target], eventId: null });
      isFull = claimed.length === places;
      return claimed;
    },
    work: (delivery: ClaimedDelivery) =>
      deliver(context, delivery, timeoutMs).catch((error: unknown) =>
        context.logger.error({ event: 'event_delivery_not_noted', err: error }),
      ),
    stopping,
  });
}

/** The loops of a process publish together. */
async function publishOnce(context: Context, calls: readonly undefined[]): Promise<readonly undefined[]> {
  await publishEvents(context);
  return calls;
}

/** Delivers one event now, unless an earlier event of its stream is waiting. Returns the result for each target. */
export async function deliverEvent(
  context: Context,
  eventId: bigint,
): Promise<{ target: string; reason: string | null }[]> {
  const claimed = await claim(context, { limit: 1, eventId });
  return Promise.all(
    claimed.map(async (delivery) => ({
      target: delivery.target,
      reason: await deliver(context, delivery, ATTEMPT_TIMEOUT_MS),
    })),
  );
}

function claim(
  context: Context,
  which: { limit: number; targets?: readonly string[]; eventId: bigint | null },
): Promise<ClaimedDelivery[]> {
  const leaseUntil = new Date(context.realClock.now().getTime() + LEASE_MS);
  return claimDeliveries(context, { ...which, leaseUntil });
}

/** Returns why it was not delivered; null if it was. @throws DatabaseError; it is then due again after the lease */
async function deliver(
  context: Context,
  { event, eventId, target, attempts }: ClaimedDelivery,
  timeoutMs: number,
): Promise<string | null> {
  const handler = handlersOf(context).get(target);
  const outcome = handler
    ? await handle(context, handler, event, { target, timeoutMs })
    : await postEvent(context, event, timeoutMs);
  const reason = outcome?.reason ?? null;
  const nextAttemptAt =
    outcome === null || outcome.isFinal ? null : nextDeliveryAt(attempts, context.realClock.now());
  await saveDelivery(context, { eventId, target, attempts, reason, nextAttemptAt });
  context.metrics.count(eventCounters.deliveries, { target, result: reason ?? 'delivered' });
  if (reason !== null) {
    const isGivenUp = nextAttemptAt === null;
    context.logger.warn({
      event: isGivenUp ? 'event_given_up' : 'event_not_delivered',
      id: event.id,
      target,
      reason,
      attempts,
    });
  }
  return reason;
}

const HANDLED = true;

/** Stops waiting for a handler that hangs. It may still finish, so an event can be delivered twice. */
async function handle(
  context: Context,
  handler: Handler,
  event: ClaimedDelivery['event'],
  { target, timeoutMs }: { target: string; timeoutMs: number },
): Promise<PostOutcome> {
  try {
    const handled = await within(
      timeoutMs,
      Promise.resolve(handler(event, context)).then(() => HANDLED),
    );
    return handled === null ? { reason: 'timeout', isFinal: false } : null;
  } catch (error) {
    context.logger.error({ event: 'order_event_handler_failed', id: event.id, target, err: error });
    return { reason: 'handler_failed', isFinal: false };
  }
}

/** Longer than two versions of the program ever run side by side: the other one may know the target. */
const UNKNOWN_FOR_MS = 24 * HOUR;

/**
 * Job `give-up-removed-handlers`: gives up what waits for a handler that was renamed or removed.
 * @throws DatabaseError; the job then runs again
 */
export async function giveUpRemovedHandlers(context: Context): Promise<void> {
  const dueBefore = new Date(context.realClock.now().getTime() - UNKNOWN_FOR_MS);
  for (const { target, count } of await giveUpUnknownTargets(context, dueBefore))
    context.logger.warn({ event: 'event_handler_missing', target, count });
}

/**
 * Delivers an event again at a person's request, for example after the target was down for more than three days or lost
 * the event. It does not wait for events that were delivered after it.
 * @param id `{merchant_uid}:{version}`
 * @param choose the targets for which it is made due again, of those that there are now; default: all
 * @returns null if there is none
 */
export async function replayEvent(
  context: Context,
  id: string,
  choose: (event: StoredEventWithDeliveries, targets: string[]) => string[] = (_event, targets) => targets,
): Promise<StoredEventWithDeliveries | null> {
  // An unpublished event has no deliveries to reset; publishing it makes it due.
  await publishEvents(context);
  const event = await findEvent(context, id);
  if (!event) return null;
  await resetDeliveries(context, event.id, choose(event, targetsOf(context)));
  return findEvent(context, id);
}

/** The targets that have not received it; all, if each has. */
export function missingTargets({ deliveries }: StoredEventWithDeliveries, targets: string[]): string[] {
  const delivered = deliveries.filter(({ deliveredAt }) => deliveredAt !== null).map(({ target }) => target);
  const missing = targets.filter((target) => !delivered.includes(target));
  return missing.length > 0 ? missing : targets;
}
