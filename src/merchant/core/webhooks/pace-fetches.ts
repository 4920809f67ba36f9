// Limits how often notifications make us ask the service about unknown orders and payments. A sender with a listed
// address (§6.3) can invent ids. §8 shows no limits of the service, so the numbers are our choice, per process.

import { stateOf, type Context } from '../../platform/context';
import type { ReportedIds } from '../payments/fetch-payment';
import type { Snapshot } from '../payments/payment-store';
import { webhookCounters } from './notification-outcomes';

/** A token bucket for fetches about unknown orders: the burst, and the refill per second. */
const UNKNOWN_AT_ONCE = 100;
const UNKNOWN_PER_SECOND = 20;
/** Payments of one order that are new to us. No buyer tries this often. */
const NEW_PAYMENTS_PER_MINUTE = 30;
/** When a paced notification is tried again, if the limit allows it then. Its order may be registered by that time. */
const PACED_GAP_MS = 2_000;

const MINUTE_MS = 60_000;

type Pace = {
  tokens: number;
  filledAtMs: number;
  minute: number;
  newPayments: Map<string, number>;
  /** The minute in which the warning was logged. */
  warnedIn: number | null;
};

/**
 * How long the fetch of a reported payment is put off, in milliseconds; null if it may be made now, and then it is
 * counted. Each fetch that is put off is counted, and warned about once a minute. A known payment of a known order has
 * no limit.
 */
export function paceFetch(
  context: Context,
  { svcUid, merchantUid }: ReportedIds,
  snapshot: Snapshot,
): number | null {
  return mayFetch(context, { svcUid, merchantUid }, snapshot) ? null : PACED_GAP_MS;
}

function mayFetch(context: Context, { svcUid, merchantUid }: ReportedIds, snapshot: Snapshot): boolean {
  if (!snapshot.order) return mayFetchUnknown(context);
  if (snapshot.storedUnder !== null || snapshot.payments.some((payment) => payment.svcUid === svcUid))
    return true;
  const { newPayments } = paceOf(context);
  const count = (newPayments.get(merchantUid) ?? 0) + 1;
  newPayments.set(merchantUid, count);
  return count <= NEW_PAYMENTS_PER_MINUTE || heldBack(context);
}

/** Whether a notification of an unknown order may be fetched now. If so, it takes a token. */
export function mayFetchUnknown(context: Context): boolean {
  const pace = paceOf(context);
  if (pace.tokens < 1) return heldBack(context);
  pace.tokens -= 1;
  return true;
}

function heldBack(context: Context): false {
  const pace = paceOf(context);
  context.metrics.count(webhookCounters.paced);
  if (pace.warnedIn !== pace.minute) {
    pace.warnedIn = pace.minute;
    context.logger.warn({ event: 'notifications_paced', per_second: UNKNOWN_PER_SECOND });
  }
  return false;
}

function createPace({ clock }: Context): Pace {
  const filledAtMs = clock.monotonicMs();
  const minute = Math.floor(filledAtMs / MINUTE_MS);
  return { tokens: UNKNOWN_AT_ONCE, filledAtMs, minute, newPayments: new Map(), warnedIn: null };
}

/** Refills the bucket up to now. */
function paceOf(context: Context): Pace {
  const nowMs = context.clock.monotonicMs();
  const minute = Math.floor(nowMs / MINUTE_MS);
  const pace = stateOf(context, createPace);
  const filled = pace.tokens + ((nowMs - pace.filledAtMs) / 1_000) * UNKNOWN_PER_SECOND;
  pace.tokens = Math.min(UNKNOWN_AT_ONCE, filled);
  pace.filledAtMs = nowMs;
  if (pace.minute !== minute) pace.newPayments.clear();
  pace.minute = minute;
  return pace;
}
