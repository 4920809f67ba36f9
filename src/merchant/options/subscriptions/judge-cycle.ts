// Decides from its rows what a subscription needs next. Pure, so that any process decides the same, also after a kill.
// - A cycle is paid if its order is, whatever paid it. A later refund does not end the plan; a closed, unpaid order
//   does.
// - A virtual account for the order changes nothing: anyone who knows the order's id can open one and never pay. A
//   deposit before our payment pays for the cycle; one after it is a `duplicate_payment`.
// - A removed billing key never comes back, so the plan ends at its first due payment. A key that is only unavailable
//   is retried like a declined card.
// - What needs a person waits as long as it takes: it neither ends the plan nor counts as failed.
// - A change of the card holds from the next payment on. A change of amount or name, and a pause, stop a cycle whose
//   payment is not due yet: its schedule is revoked, its order closed, and the next cycle takes its date. Once its payment
//   is due or has failed, amount and name wait for the next cycle.

import type { ChargeStatus, NeedsPerson, OrderStatus } from '../../../generated/prisma/client';
import { DAY_MS } from '../../platform/clock';
import type { StoredSubscription } from './subscription-store';

/** The rows of the current cycle. */
export type CycleRows = {
  /** Null until it is registered. */
  order: {
    status: OrderStatus;
    /** Whether it has the terms of the subscription and can be paid by a schedule. */
    fits: boolean;
    /** Whether a payment for it was ever made. */
    wasPaid: boolean;
  } | null;
  /** The unresolved charge that blocks other charges of the order; null if there is none. */
  blocking: { id: string; status: ChargeStatus; scheduleAt: Date | null } | null;
  /** The latest charge of the current try that was executed; null if there is none. */
  attempted: { kind: string; status: ChargeStatus } | null;
  /** `gone`: removed, or it never existed. */
  key: 'active' | 'not_active' | 'gone';
};

type FailReason = 'declined' | 'refused' | 'billing_key_not_active';

export type Step =
  /** The order has changed while its schedule is open: ask the service whether the schedule was executed. */
  | { kind: 'ask'; chargeId: string; ifNotExecuted: Wait }
  | { kind: 'renew' }
  /** `isFinal`: no retry can succeed. */
  | { kind: 'fail'; reason: FailReason; isFinal: boolean }
  | { kind: 'end'; reason: 'order_closed' }
  /** The schedule would be made with terms that have changed. */
  | { kind: 'revoke' }
  /** Close its order, so that the next cycle can take its place. */
  | { kind: 'close' }
  /** Its order is closed for the next cycle to take its place, or for a pause. */
  | { kind: 'replace' }
  /** Use the card that was asked for. */
  | { kind: 'switch_card' }
  /**
   * The service makes the payment at its time. `wasRefused`: it has refused that before. A refusal is a case for a person
   * from `caseFrom` on.
   */
  | { kind: 'schedule'; wasRefused: boolean; caseFrom: Date }
  /** We make the payment now. */
  | { kind: 'charge' }
  | Wait;

type Wait = { kind: 'wait'; until: Date; needsPerson: NeedsPerson | null };

const MINUTE_MS = 60_000;
/** With less time, the service's clock might refuse a schedule as past: we make the payment ourselves. */
const SCHEDULE_AHEAD_MS = MINUTE_MS;
/** From a schedule's time to the first check of its outcome, unless a notification arrives earlier. */
const OUTCOME_AFTER_MS = MINUTE_MS;
/** From then on, a refused schedule is a case for a person. We make the payment at its time, which may be refused too. */
const CASE_AHEAD_MS = DAY_MS;
/** The interval of checks while there is nothing to do. An event of the order causes an earlier check. */
const CHECK_AGAIN_MS = DAY_MS;
const CHECK_AGAIN_PAST_DUE_MS = 10 * MINUTE_MS;
const CHECK_AGAIN_FOR_PERSON_MS = 10 * MINUTE_MS;

export function judgeCycle(subscription: StoredSubscription, rows: CycleRows, now: Date): Step {
  const { attempt, paymentAt, status } = subscription;
  const { order, blocking, attempted, key } = rows;
  const replaces = isReplaced(subscription, now);
  const changesCard = subscription.nextCustomerUid !== null;
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
  // A schedule of an order that was paid in another way is revoked by `schedules/revoke-due-schedules.ts`.
  if (order && isPaid(order)) return { kind: 'renew' };
  if (order?.status === 'closed' || order?.status === 'cancelled')
    return subscription.isReplacing ? { kind: 'replace' } : { kind: 'end', reason: 'order_closed' };
  if (blocking?.status === 'needs_review') return wait(CHECK_AGAIN_FOR_PERSON_MS, 'charge_needs_review');
  if (blocking?.status === 'scheduled' && blocking.scheduleAt) {
    const { id: chargeId, scheduleAt } = blocking;
    if ((replaces || changesCard) && scheduleAt > now) return { kind: 'revoke' };
    const outcome =
      scheduleAt > now ? waitForTime(new Date(scheduleAt.getTime() + OUTCOME_AFTER_MS)) : wait(MINUTE_MS);
    // The scheduled payment, or another one, has failed. The status of an order with a virtual account does not show
    // that.
    const mayHaveFailed =
      order?.status === 'failed' || (order?.status === 'awaiting_deposit' && scheduleAt <= now);
    return mayHaveFailed ? { kind: 'ask', chargeId, ifNotExecuted: outcome } : outcome;
  }
  if (blocking) return wait(MINUTE_MS);

  const isFinal = key === 'gone' && !changesCard;
  // The service has taken the payment back (§3), or shown a payment that the order does not count.
  if (attempted?.status === 'paid') return wait(CHECK_AGAIN_FOR_PERSON_MS, 'order_not_paid');
  if (attempted?.status === 'failed') return { kind: 'fail', reason: 'declined', isFinal };
  // A refused schedule is not a failed payment, because it takes no money; a refused charge is.
  if (attempted?.status === 'refused' && attempted.kind !== 'schedule')
    return { kind: 'fail', reason: 'refused', isFinal };

  // From here on nothing was paid, nothing has failed, and nothing is in progress.
  if (replaces) return { kind: 'close' };
  if (changesCard) return { kind: 'switch_card' };
  const msAhead = paymentAt.getTime() - now.getTime();
  if (msAhead <= 0)
    return key === 'active'
      ? { kind: 'charge' }
      : { kind: 'fail', reason: 'billing_key_not_active', isFinal };
  const canSchedule = attempt === 0 && msAhead > SCHEDULE_AHEAD_MS && key === 'active';
  if (!canSchedule) return waitForTime(paymentAt);
  return {
    kind: 'schedule',
    wasRefused: attempted?.status === 'refused',
    caseFrom: new Date(paymentAt.getTime() - CASE_AHEAD_MS),
  };
}

function isReplaced(
  { isReplacing, isPausing, nextAmount, nextName, attempt, paymentAt }: StoredSubscription,
  now: Date,
): boolean {
  const isAhead = attempt === 0 && paymentAt > now;
  return isReplacing || isPausing || (isAhead && (nextAmount !== null || nextName !== null));
}

/** `cancelled` is also an order whose virtual account was closed without a deposit. */
function isPaid({ status, wasPaid }: { status: OrderStatus; wasPaid: boolean }): boolean {
  return status === 'paid' || status === 'partially_cancelled' || (status === 'cancelled' && wasPaid);
}
