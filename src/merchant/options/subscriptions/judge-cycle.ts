// What a subscription needs next, by what its rows show. Pure: nothing that a process remembers decides, so that two of
// them, or one after a kill, come to the same.
//
// The rules, where no document has any:
// - The order decides whether a cycle is paid, whoever paid it and when. One that was refunded later was paid: giving one
//   payment back does not end the plan.
// - An order that was closed before it was paid ends the plan.
// - A virtual account that somebody has opened for the order changes nothing: anybody who knows its id can open one, and may
//   never pay. A deposit before our payment pays for the cycle; one after it is a `duplicate_payment`.
// - A billing key that was removed never comes back (its customer_uid is not issued again), so its first payment that is
//   due ends the plan at once. One that cannot pay for the moment is tried again as after a declined card.
// - What a program cannot decide waits for a person, for as long as it takes. It neither ends the plan nor counts as failed.

import type { ChargeStatus, OrderStatus } from '../../../generated/prisma/client';
import { DAY_MS } from '../../platform/clock';
import type { StoredSubscription } from './subscription-store';

/** What the rows show of the current cycle. */
export type CycleRows = {
  /** Null while it is not registered. */
  order: {
    status: OrderStatus;
    /** Whether it is over what the subscription says, and can be paid by a schedule. */
    fits: boolean;
    /** Whether a payment for it was ever made. */
    wasPaid: boolean;
  } | null;
  /** The charge that keeps the order from others; null if there is none. */
  unsettled: { id: string; status: ChargeStatus; scheduleAt: Date | null } | null;
  /** The latest charge of the current attempt; null if there is none. */
  attempted: { kind: string; status: ChargeStatus } | null;
  /** `gone`: it was removed, or there never was one. */
  key: 'active' | 'not_active' | 'gone';
};

export type FailReason = 'declined' | 'refused' | 'billing_key_not_active';
/** Why the plan waits for a person. */
export type NeedsPerson = 'charge_needs_review' | 'order_conflict' | 'order_not_paid';

export type Step =
  /** The order has changed while its schedule is open: whether that was executed is for the service to say. */
  | { kind: 'ask'; chargeId: string; ifNotExecuted: { kind: 'revoke' } | Wait }
  | { kind: 'renew' }
  /** `isFinal`: no retry can succeed. */
  | { kind: 'fail'; reason: FailReason; isFinal: boolean }
  | { kind: 'end'; reason: 'order_closed' }
  /** The service makes the payment at its time. */
  | { kind: 'schedule' }
  /** We make the payment now. */
  | { kind: 'charge' }
  | Wait;

type Wait = { kind: 'wait'; until: Date; needsPerson: NeedsPerson | null };

const MINUTE_MS = 60_000;
/** Nearer than this a schedule could be refused as past by the service's clock: we make the payment ourselves. */
const SCHEDULE_AHEAD_MS = MINUTE_MS;
/** From the time of a schedule to the first check of its outcome, which a notification brings earlier. */
const OUTCOME_AFTER_MS = MINUTE_MS;
/** How often a cycle is checked again where nothing has to be done: an event of its order brings a check earlier. */
const CHECK_AGAIN_MS = DAY_MS;
const CHECK_AGAIN_PAST_DUE_MS = 10 * MINUTE_MS;
const CHECK_AGAIN_FOR_PERSON_MS = 10 * MINUTE_MS;

export function judgeCycle(subscription: StoredSubscription, rows: CycleRows, now: Date): Step {
  const { attempt, paymentAt, status } = subscription;
  const { order, unsettled, attempted, key } = rows;
  const wait = (ms: number, needsPerson: NeedsPerson | null = null): Wait => ({
    kind: 'wait',
    until: new Date(now.getTime() + ms),
    needsPerson,
  });
  const waitForTime = (time: Date): Wait => {
    const longest = now.getTime() + (status === 'past_due' ? CHECK_AGAIN_PAST_DUE_MS : CHECK_AGAIN_MS);
    return { kind: 'wait', until: new Date(Math.min(time.getTime(), longest)), needsPerson: null };
  };

  if (order && !order.fits) return wait(CHECK_AGAIN_FOR_PERSON_MS, 'order_conflict');
  if (order && isPaid(order)) {
    if (!unsettled?.scheduleAt || unsettled.scheduleAt <= now) return { kind: 'renew' };
    // Another payment has paid it: the schedule would take the money again.
    if (unsettled.status === 'scheduled')
      return { kind: 'ask', chargeId: unsettled.id, ifNotExecuted: { kind: 'revoke' } };
    return unsettled.status === 'needs_review' ? { kind: 'renew' } : wait(MINUTE_MS);
  }
  if (order?.status === 'closed' || order?.status === 'cancelled')
    return { kind: 'end', reason: 'order_closed' };
  if (unsettled?.status === 'needs_review') return wait(CHECK_AGAIN_FOR_PERSON_MS, 'charge_needs_review');
  if (unsettled?.status === 'scheduled' && unsettled.scheduleAt) {
    const { id: chargeId, scheduleAt } = unsettled;
    const outcome =
      scheduleAt > now ? waitForTime(new Date(scheduleAt.getTime() + OUTCOME_AFTER_MS)) : wait(MINUTE_MS);
    // Its payment has failed, or another one has. A virtual account that somebody has opened hides that in the order.
    const mayHaveFailed =
      order?.status === 'failed' || (order?.status === 'awaiting_deposit' && scheduleAt <= now);
    return mayHaveFailed ? { kind: 'ask', chargeId, ifNotExecuted: outcome } : outcome;
  }
  if (unsettled) return wait(MINUTE_MS);

  const isFinal = key === 'gone';
  // The service has taken the payment back (§3), or shown a payment that the order does not count.
  if (attempted?.status === 'paid') return wait(CHECK_AGAIN_FOR_PERSON_MS, 'order_not_paid');
  if (attempted?.status === 'failed') return { kind: 'fail', reason: 'declined', isFinal };
  // A schedule that was refused takes no money and is no payment; a charge that was refused is one that failed.
  if (attempted?.status === 'refused' && attempted.kind !== 'schedule')
    return { kind: 'fail', reason: 'refused', isFinal };

  // From here on nothing was paid, nothing has failed, and nothing is on its way.
  const msAhead = paymentAt.getTime() - now.getTime();
  if (msAhead <= 0)
    return key === 'active'
      ? { kind: 'charge' }
      : { kind: 'fail', reason: 'billing_key_not_active', isFinal };
  const canSchedule = attempt === 0 && msAhead > SCHEDULE_AHEAD_MS && key === 'active';
  return canSchedule ? { kind: 'schedule' } : waitForTime(paymentAt);
}

/** `cancelled` is also an order whose virtual account was closed without a deposit. */
function isPaid({ status, wasPaid }: { status: OrderStatus; wasPaid: boolean }): boolean {
  return status === 'paid' || status === 'partially_cancelled' || (status === 'cancelled' && wasPaid);
}
