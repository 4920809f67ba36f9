// A change that was asked for takes effect: what is written, and the events. Pure.

import type { NewEvent, SubscriptionChange } from './change-store';
import { cycleAfter, cycleAhead } from './subscription-calendar';
import type { StoredSubscription } from './subscription-store';

type Written = { changes: SubscriptionChange; events: NewEvent[] };

/** Whether terms were asked for that do not hold yet. */
export const hasTermsToCome = ({ nextCustomerUid, nextAmount, nextName }: Terms): boolean =>
  nextCustomerUid !== null || nextAmount !== null || nextName !== null;

const NOTHING_WAITS = {
  nextCustomerUid: null,
  nextAmount: null,
  nextName: null,
  isPausing: false,
  isReplacing: false,
};

/** The cycle is paid: the next one begins, with what was asked for. */
export function toNextCycle(subscription: StoredSubscription, now: Date): Written {
  const next = cycleAfter(subscription, now);
  const { changes, events } = from(subscription, { ...next, attempt: 0 });
  const nextPaymentAt = subscription.isPausing ? null : next.paymentAt.toISOString();
  const renewed = { next_payment_at: nextPaymentAt, reason: null };
  return { changes, events: [{ type: 'subscription.renewed', data: renewed }, ...events] };
}

/**
 * The order of the cycle was closed by us: the next cycle takes its date. After a failed payment, which is not tried again,
 * the plan continues with the next date.
 */
export function replaceCycle(subscription: StoredSubscription, now: Date): Written {
  const place = {
    cycle: subscription.cycle + 1,
    replacedCycles: subscription.replacedCycles + 1,
    attempt: 0,
    paymentAt: subscription.paymentAt,
  };
  const next = subscription.attempt === 0 ? {} : cycleAhead({ ...subscription, ...place }, now);
  return from(subscription, { ...place, ...next });
}

/** A paused plan continues with the first date of its calendar that lies ahead. */
export function resumeCycle(subscription: StoredSubscription, now: Date): Written {
  const next = cycleAhead(subscription, now);
  const data = { next_payment_at: next.paymentAt.toISOString(), reason: null };
  return {
    changes: { status: 'active', ...next },
    events: [{ type: 'subscription.resumed', data }],
  };
}

/** Terms alone: of a paused plan, or the card of a cycle whose amount stays. */
export function changeTerms(
  subscription: StoredSubscription,
  { nextCustomerUid, nextAmount, nextName }: Terms,
): Written {
  const changes = {
    customerUid: nextCustomerUid ?? subscription.customerUid,
    amount: nextAmount ?? subscription.amount,
    name: nextName ?? subscription.name,
  };
  const { status, paymentAt } = subscription;
  const data = { next_payment_at: status === 'paused' ? null : paymentAt.toISOString(), reason: null };
  return { changes, events: [{ type: 'subscription.changed', data }] };
}

export type Terms = Pick<StoredSubscription, 'nextCustomerUid' | 'nextAmount' | 'nextName'>;

/** All that was asked for, from this place on. */
function from(subscription: StoredSubscription, place: SubscriptionChange): Written {
  const { isPausing } = subscription;
  const status = isPausing ? 'paused' : 'active';
  const terms = changeTerms({ ...subscription, ...place, status }, subscription);
  const paused: NewEvent = { type: 'subscription.paused', data: { next_payment_at: null, reason: null } };
  return {
    changes: { ...place, status, ...terms.changes, ...NOTHING_WAITS },
    events: [...(hasTermsToCome(subscription) ? terms.events : []), ...(isPausing ? [paused] : [])],
  };
}
