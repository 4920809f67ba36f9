// Cancels a subscription. First it makes sure that no money can move; then it updates the row. What was paid stays paid.

import { deliverSoon } from '../../core/events/save-events';
import type { Context, MemberRows } from '../../platform/context';
import type { Waiting } from '../../platform/personal-data';
import { changeSubscription, type NewEvent } from './change-store';
import { readCycle } from './cycle-store';
import { judgeCycle } from './judge-cycle';
import { eraseSubscriptions, findLiveSubscriptions, hasSubscriptions } from './member-store';
import { stopCycle, type NotStopped } from './stop-cycle';
import { findSubscription, isLive, type StoredSubscription } from './subscription-store';

export type SubscriptionCancelling =
  /** It is cancelled, or had already ended. */
  | { kind: 'cancelled'; subscription: StoredSubscription }
  | { kind: 'subscription_not_found' }
  /** Not cancelled: a payment of the cycle is in progress, or may be; or a person must first resolve a charge of it. */
  | { kind: NotStopped };

/** Each round ends because something has changed: a schedule was executed, a cycle was renewed. */
const MOST_ROUNDS = 5;

/** Has no effect if the subscription is over. */
export async function cancelSubscription(
  context: Context,
  subscriptionId: string,
): Promise<SubscriptionCancelling> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const subscription = await findSubscription(context, subscriptionId);
    if (!subscription) return { kind: 'subscription_not_found' };
    if (!isLive(subscription)) return { kind: 'cancelled', subscription };
    // No process charges a cycle of a paused one.
    const stopped = subscription.status === 'paused' ? null : await stopCycle(context, subscription);
    if (stopped !== null && stopped !== 'changed') return { kind: stopped };
    if (stopped === null) {
      const cancelled = await markCancelled(context, subscription);
      if (cancelled) return { kind: 'cancelled', subscription: cancelled };
    }
  }
  return { kind: 'charge_pending' };
}

/** Returns null if it has changed since it was read. */
async function markCancelled(
  context: Context,
  subscription: StoredSubscription,
): Promise<StoredSubscription | null> {
  const rows = await readCycle(context, subscription);
  const isPaid = judgeCycle(subscription, rows, context.clock.now()).kind === 'renew';
  const over = { next_payment_at: null };
  const events: NewEvent[] = [
    // The order is paid, and no event has been sent yet.
    ...(isPaid ? [{ type: 'subscription.renewed' as const, data: { ...over, reason: null } }] : []),
    { type: 'subscription.ended', data: { ...over, reason: 'cancelled' } },
  ];
  const change = { status: 'cancelled', endReason: 'cancelled' } as const;
  const cancelled = await changeSubscription(context, subscription, change, events);
  if (cancelled) deliverSoon(context);
  return cancelled;
}

/** The subscriptions of an erased member: they are cancelled, then erased. */
export const memberSubscriptions: MemberRows = {
  exist: hasSubscriptions,
  erase: eraseSubscriptions,

  async end(context, memberId, isOver) {
    const waiting: Waiting[] = [];
    for (const id of await findLiveSubscriptions(context, memberId)) {
      const reason = isOver() ? 'later' : await cancel(context, id);
      if (reason !== null) waiting.push({ kind: 'subscription', id, reason });
    }
    return waiting;
  },
};

async function cancel(context: Context, subscriptionId: string): Promise<Waiting['reason'] | null> {
  const { kind } = await cancelSubscription(context, subscriptionId);
  return kind === 'cancelled' || kind === 'subscription_not_found' ? null : kind;
}
