// Creates a subscription: inserts its row, and schedules its first payment, or makes it if it is due now.
// `advance-subscriptions.ts` retries what does not succeed now.

import { isDeepStrictEqual } from 'node:util';
import { findKeyProblem, type KeyProblem } from '../../core/charges/start-charges';
import { DAY_MS } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { advanceNow } from './advance-subscriptions';
import { paymentFields } from './cycle-store';
import {
  findSubscription,
  insertSubscription,
  type NewSubscription,
  type StoredSubscription,
} from './subscription-store';

/** Allows for the request's travel time and clock differences. Our choice. */
const TOLERANCE_MS = 5 * 60_000;
/** The usual lifetime of a card. Our choice: a later date is a mistake. */
const MOST_AHEAD_MS = 10 * 366 * DAY_MS;

type SubscriptionCreation =
  | { kind: 'created'; subscription: StoredSubscription }
  /** The same request again: nothing has changed. */
  | { kind: 'known'; subscription: StoredSubscription }
  /** The id belongs to another subscription. */
  | { kind: 'subscription_conflict' }
  /** The id of the first order belongs to another order. */
  | { kind: 'order_conflict' }
  | { kind: 'first_payment_past' | 'first_payment_too_far' }
  | { kind: KeyProblem };

export async function createSubscription(
  context: Context,
  wanted: NewSubscription,
): Promise<SubscriptionCreation> {
  const { subscriptionId, customerUid, memberId, firstPaymentAt } = wanted;
  const known = await findSubscription(context, subscriptionId);
  if (known) return isSame(known, wanted) ? { kind: 'known', subscription: known } : CONFLICT;
  const msAhead = firstPaymentAt.getTime() - context.clock.now().getTime();
  if (msAhead < -TOLERANCE_MS) return { kind: 'first_payment_past' };
  if (msAhead > MOST_AHEAD_MS) return { kind: 'first_payment_too_far' };
  const problem = await findKeyProblem(context, customerUid, { memberId });
  if (problem) return { kind: problem };
  const isNew = await insertSubscription(context, wanted);
  if (isNew) await advanceNow(context, subscriptionId);
  const subscription = await findSubscription(context, subscriptionId);
  if (!subscription) return { kind: 'order_conflict' };
  if (isNew) return { kind: 'created', subscription };
  return isSame(subscription, wanted) ? { kind: 'known', subscription } : CONFLICT;
}

const CONFLICT = { kind: 'subscription_conflict' } as const;

function isSame(stored: StoredSubscription, wanted: NewSubscription): boolean {
  const { customerUid, memberId, name, amount, currency, interval, firstPaymentAt } = stored;
  const { buyer, customData } = paymentFields(stored);
  return (
    customerUid === wanted.customerUid &&
    memberId === wanted.memberId &&
    name === wanted.name &&
    amount === BigInt(wanted.amount) &&
    currency === wanted.currency &&
    interval === wanted.interval &&
    firstPaymentAt.getTime() === wanted.firstPaymentAt.getTime() &&
    isDeepStrictEqual(withoutAbsent(buyer), withoutAbsent(wanted.buyer)) &&
    customData === wanted.customData
  );
}

/** An absent field is undefined or missing. A buyer without fields is none. */
const withoutAbsent = (buyer: object = {}) =>
  Object.fromEntries(Object.entries(buyer).filter(([, value]) => value !== undefined));
