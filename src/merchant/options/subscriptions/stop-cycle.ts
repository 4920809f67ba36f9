// Makes sure that no more money can move for the current cycle of a subscription: revokes its schedule and closes its
// order, after which no charge of it can start.

import type { Charge } from '../../../generated/prisma/client';
import { pollOnce } from '../../core/attempts/recover-attempt';
import { findBlockingCharge } from '../../core/charges/charge-store';
import { chargeRecovery } from '../../core/charges/recover-charge';
import { closeOrder, registerOrder } from '../../core/orders/register-order';
import { payableOrders } from '../../core/payments/order-status';
import { revokeSchedules } from '../../core/schedules/revoke-schedules';
import type { Context } from '../../platform/context';
import { orderOf, readCycle } from './cycle-store';
import { cycleOrder, wakeSubscription, type StoredSubscription } from './subscription-store';

/** Why money may still move for it. `service_unavailable`: the service does not answer. */
export type NotStopped = 'charge_pending' | 'charge_needs_review' | 'service_unavailable';

/** Returns null if no more money can move for the cycle; `changed` if the rows must be read again. */
export async function stopCycle(
  context: Context,
  subscription: StoredSubscription,
): Promise<null | 'changed' | NotStopped> {
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

/** Revokes the schedule of the cycle, if one waits. Its order stays open. */
export async function revokeSchedule(
  context: Context,
  subscription: StoredSubscription,
): ReturnType<typeof revoke> {
  const blocking = await findBlockingCharge(context, cycleOrder(subscription));
  return blocking?.status === 'scheduled' ? revoke(context, subscription, blocking) : 'changed';
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
