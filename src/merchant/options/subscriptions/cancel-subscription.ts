// Cancels a subscription. First it makes sure that no money can move: it revokes schedules and closes the cycle's
// order, after which no charge of it can start. Then it updates the row. What was paid stays paid.

import type { Charge } from '../../../generated/prisma/client';
import { pollOnce } from '../../core/attempts/recover-attempt';
import { findBlockingCharge } from '../../core/charges/charge-store';
import { chargeRecovery } from '../../core/charges/recover-charge';
import { deliverSoon } from '../../core/events/save-events';
import { closeOrder, registerOrder } from '../../core/orders/register-order';
import { payableOrders } from '../../core/payments/order-status';
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
  /** It is cancelled, or had already ended. */
  | { kind: 'cancelled'; subscription: StoredSubscription }
  | { kind: 'subscription_not_found' }
  /** Not cancelled: a payment of the cycle is in progress, or may be. */
  | { kind: 'charge_pending' }
  /** Not cancelled: a person must first resolve a charge of the cycle. */
  | { kind: 'charge_needs_review' }
  /** Not cancelled: the service does not answer. */
  | { kind: 'service_unavailable' };

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
    const stopped = await stopCycle(context, subscription);
    if (stopped !== null && stopped !== 'changed') return { kind: stopped };
    if (stopped === null) {
      const cancelled = await markCancelled(context, subscription);
      if (cancelled) return { kind: 'cancelled', subscription: cancelled };
    }
  }
  return { kind: 'charge_pending' };
}

/** Returns null if no more money can move for the cycle; `changed` if the rows must be read again. */
async function stopCycle(
  context: Context,
  subscription: StoredSubscription,
): Promise<null | 'changed' | 'charge_pending' | 'charge_needs_review' | 'service_unavailable'> {
  // A process that works on the subscription now could register and charge a missing order, so register it first.
  const registered = await registerOrder(context, orderOf(subscription));
  // An order with other terms is not the cycle's: no cycle is charged with it.
  if (registered.outcome === 'conflict') return null;
  const merchantUid = cycleOrder(subscription);
  const blocking = await findBlockingCharge(context, merchantUid);
  if (blocking?.kind === 'schedule' && blocking.status !== 'needs_review')
    return revoke(context, subscription, blocking);
  if (blocking?.status === 'needs_review') return 'charge_needs_review';
  if (blocking) return 'charge_pending';
  const closing = await closeOrder(context, merchantUid);
  if (closing.kind === 'closed') return null;
  // An order that cannot be closed is paid, or a charge has just started.
  const { order } = await readCycle(context, subscription);
  return order && payableOrders.has(order.status) ? 'changed' : null;
}

async function revoke(
  context: Context,
  subscription: StoredSubscription,
  { id, merchantUid, customerUid }: Charge,
): Promise<'changed' | 'charge_pending' | 'service_unavailable'> {
  const revocation = await revokeSchedules(context, {
    customerUid: customerUid ?? subscription.customerUid,
    merchantUids: [merchantUid],
  });
  switch (revocation.kind) {
    case 'revoked':
      return 'changed';
    case 'refused':
      // The schedule was just executed, or was revoked before: ask the service.
      return (await pollOnce(context, chargeRecovery, id)).resolved ? 'changed' : 'charge_pending';
    case 'unknown':
      // If the revocation succeeded after all, the check schedules the payment again.
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
