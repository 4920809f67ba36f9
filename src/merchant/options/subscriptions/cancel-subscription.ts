// A plan that renews is cancelled. First no money can move any more: what is scheduled is revoked, and the order of the
// cycle is closed, after which no charge of it can be started by anybody. Then the row says so. What was paid stays paid.

import { pollOnce } from '../../core/attempts/recover-attempt';
import { findUnsettledCharge, type StoredCharge } from '../../core/charges/charge-store';
import { chargeRecovery } from '../../core/charges/recover-charge';
import { deliverSoon } from '../../core/events/save-events';
import { payableOrders } from '../../core/orders/order-store';
import { closeOrder, registerOrder } from '../../core/orders/register-order';
import { revokeSchedules } from '../../core/schedules/revoke-schedules';
import type { Context, MemberRows } from '../../platform/context';
import type { Waiting } from '../../platform/personal-data';
import { orderOf } from './advance-subscription';
import { readCycle } from './cycle-store';
import { judgeCycle } from './judge-cycle';
import {
  changeSubscription,
  cycleOrder,
  eraseSubscriptions,
  findLiveSubscriptions,
  findSubscription,
  hasSubscriptions,
  isLive,
  wakeSubscription,
  type NewEvent,
  type StoredSubscription,
} from './subscription-store';

type SubscriptionCancelling =
  /** It is cancelled, or it had ended before. */
  | { kind: 'cancelled'; subscription: StoredSubscription }
  | { kind: 'subscription_not_found' }
  /** A payment of the cycle is on its way, or may be: it is not cancelled. */
  | { kind: 'charge_pending' }
  /** A person has to decide about a charge of the cycle first: it is not cancelled. */
  | { kind: 'charge_needs_review' }
  /** The service cannot be asked: it is not cancelled. */
  | { kind: 'service_unavailable' };

/** Each round ends because something has changed meanwhile: a schedule was executed, a cycle was renewed. */
const MOST_ROUNDS = 5;

/** Cancelling one that is over changes nothing. */
export async function cancelSubscription(
  context: Context,
  subscriptionId: string,
): Promise<SubscriptionCancelling> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const subscription = await findSubscription(context, subscriptionId);
    if (!subscription) return { kind: 'subscription_not_found' };
    if (!isLive(subscription)) return { kind: 'cancelled', subscription };
    const stopped = await stopCycle(context, subscription);
    if (stopped !== null && stopped !== 'changed') return { kind: stopped };
    if (stopped === null) {
      const cancelled = await markCancelled(context, subscription);
      if (cancelled) return { kind: 'cancelled', subscription: cancelled };
    }
  }
  return { kind: 'charge_pending' };
}

/** Returns null if no money can move for the cycle any more; `changed` if that has to be found out again. */
async function stopCycle(
  context: Context,
  subscription: StoredSubscription,
): Promise<null | 'changed' | 'charge_pending' | 'charge_needs_review' | 'service_unavailable'> {
  // An order that is not there could be registered, and charged, by a process that works on the subscription now.
  const registered = await registerOrder(context, orderOf(subscription));
  // One over something else is nobody's but its own: no cycle is charged with it.
  if (registered.outcome === 'conflict') return null;
  const merchantUid = cycleOrder(subscription);
  const unsettled = await findUnsettledCharge(context, merchantUid);
  if (unsettled?.kind === 'schedule' && unsettled.status !== 'needs_review')
    return revoke(context, subscription, unsettled);
  if (unsettled?.status === 'needs_review') return 'charge_needs_review';
  if (unsettled) return 'charge_pending';
  const closing = await closeOrder(context, merchantUid);
  if (closing.kind === 'closed') return null;
  // What is not closed is paid. If it is not, a charge was started a moment ago.
  const { order } = await readCycle(context, subscription);
  return order && payableOrders.has(order.status) ? 'changed' : null;
}

async function revoke(
  context: Context,
  subscription: StoredSubscription,
  { id, merchantUid, customerUid }: StoredCharge,
): Promise<'changed' | 'charge_pending' | 'service_unavailable'> {
  const revocation = await revokeSchedules(context, {
    customerUid: customerUid ?? subscription.customerUid,
    merchantUids: [merchantUid],
  });
  switch (revocation.kind) {
    case 'revoked':
      return 'changed';
    case 'refused':
      // Executed a moment ago, or revoked before: the service knows.
      return (await pollOnce(context, chargeRecovery, id)).settled ? 'changed' : 'charge_pending';
    case 'unknown':
      // If it was revoked, the plan goes on with another schedule.
      await wakeSubscription(context, subscription);
      return 'service_unavailable';
    case 'not_executed':
      return 'service_unavailable';
  }
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
    // It was paid, and nobody has said so yet.
    ...(isPaid ? [{ type: 'subscription.renewed' as const, data: { ...over, reason: null } }] : []),
    { type: 'subscription.ended', data: { ...over, reason: 'cancelled' } },
  ];
  const change = { status: 'cancelled', endReason: 'cancelled' } as const;
  const cancelled = await changeSubscription(context, subscription, change, events);
  if (cancelled) deliverSoon(context);
  return cancelled;
}

/** What becomes of the subscriptions of a member who is erased: they are cancelled, and then blanked. */
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
