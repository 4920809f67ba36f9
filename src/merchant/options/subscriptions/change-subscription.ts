// Changes a subscription from the next cycle on, pauses it, and resumes it. What was asked for is written first; then the
// check of the subscription carries it out (`advance-subscription.ts`), so it is not lost if the process dies.

import { findKeyProblem, type KeyProblem } from '../../core/charges/start-charges';
import { deliverSoon } from '../../core/events/save-events';
import type { Context } from '../../platform/context';
import { advanceNow } from './advance-subscriptions';
import { changeSubscription, writeWantedChange, type WantedChange } from './change-store';
import { findSubscription, isLive, type StoredSubscription } from './subscription-store';
import { changeTerms, hasTermsToCome, resumeCycle, type Terms } from './wanted-change';

export type TermsWanted = {
  customerUid?: string | undefined;
  amount?: number | undefined;
  name?: string | undefined;
};

export type SubscriptionChanging =
  /** It is in effect. */
  | { kind: 'done'; subscription: StoredSubscription }
  /** It is written, and takes effect once the cycle allows it. */
  | { kind: 'waiting'; subscription: StoredSubscription }
  | { kind: 'subscription_not_found' | 'subscription_over' | 'subscription_busy' }
  | { kind: KeyProblem };

/** Each round ends because something has changed. */
const MOST_ROUNDS = 5;

/** A field that is not given stays as it is, or as it was asked for before. */
export async function changeSubscriptionTerms(
  context: Context,
  subscriptionId: string,
  wanted: TermsWanted,
): Promise<SubscriptionChanging> {
  const write = async (subscription: StoredSubscription) => {
    const { customerUid } = wanted;
    const problem = customerUid && (await findKeyProblem(context, customerUid, subscription));
    if (problem) return { kind: problem };
    const terms = toTerms(subscription, wanted);
    if (subscription.status !== 'paused') return want(context, subscription, terms);
    if (!hasTermsToCome(terms)) return 'nothing';
    const { changes, events } = changeTerms(subscription, terms);
    return (await changeSubscription(context, subscription, changes, events)) !== null;
  };
  return request(context, subscriptionId, write, hasTermsToCome);
}

/** Has no effect if it is paused. */
export function pauseSubscription(context: Context, subscriptionId: string): Promise<SubscriptionChanging> {
  const write = async (subscription: StoredSubscription) =>
    subscription.status === 'paused' ? 'nothing' : want(context, subscription, { isPausing: true });
  return request(context, subscriptionId, write, ({ isPausing }) => isPausing);
}

/** Has no effect if it is not paused, nor is to be. */
export function resumeSubscription(context: Context, subscriptionId: string): Promise<SubscriptionChanging> {
  const write = async (subscription: StoredSubscription) => {
    if (subscription.status !== 'paused') return want(context, subscription, { isPausing: false });
    const { changes, events } = resumeCycle(subscription, context.clock.now());
    return (await changeSubscription(context, subscription, changes, events)) !== null;
  };
  return request(context, subscriptionId, write, () => false);
}

/** Whether it was written; false if the subscription has changed since it was read. `nothing`: nothing differs. */
type Written = boolean | 'nothing';

/**
 * @param write returns why it is refused, if it is
 * @param isToCome whether what was asked for has not taken effect yet
 */
async function request(
  context: Context,
  subscriptionId: string,
  write: (subscription: StoredSubscription) => Promise<Written | { kind: KeyProblem }>,
  isToCome: (subscription: StoredSubscription) => boolean,
): Promise<SubscriptionChanging> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const subscription = await findSubscription(context, subscriptionId);
    if (!subscription) return { kind: 'subscription_not_found' };
    if (!isLive(subscription)) return { kind: 'subscription_over' };
    const written = await write(subscription);
    if (typeof written === 'object') return written;
    if (!written) continue;
    if (written === true) {
      deliverSoon(context);
      await advanceNow(context, subscriptionId);
    }
    const changed = (await findSubscription(context, subscriptionId)) ?? subscription;
    return { kind: isLive(changed) && isToCome(changed) ? 'waiting' : 'done', subscription: changed };
  }
  return { kind: 'subscription_busy' };
}

async function want(
  context: Context,
  subscription: StoredSubscription,
  wanted: Partial<WantedChange>,
): Promise<Written> {
  const { nextCustomerUid, nextAmount, nextName, isPausing } = subscription;
  const before: WantedChange = { nextCustomerUid, nextAmount, nextName, isPausing };
  const after = { ...before, ...wanted };
  const names = Object.keys(before) as (keyof WantedChange)[];
  return names.every((name) => before[name] === after[name])
    ? 'nothing'
    : writeWantedChange(context, subscription, after);
}

/** What differs from the terms that hold. */
function toTerms(subscription: StoredSubscription, { customerUid, amount, name }: TermsWanted): Terms {
  const { nextCustomerUid, nextAmount, nextName } = subscription;
  const differs = <Value>(given: Value, holds: Value) => (given === holds ? null : given);
  return {
    nextCustomerUid:
      customerUid === undefined ? nextCustomerUid : differs(customerUid, subscription.customerUid),
    nextAmount: amount === undefined ? nextAmount : differs(BigInt(amount), subscription.amount),
    nextName: name === undefined ? nextName : differs(name, subscription.name),
  };
}
