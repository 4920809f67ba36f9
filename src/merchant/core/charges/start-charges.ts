// Checks before a call that takes money, now or later: the key may pay, the order can be charged and has no other open
// charge. Then writes the row of the charge.

import type { Context } from '../../platform/context';
import { fetchHeldMoney, heldByRecord } from '../attempts/held-money';
import { pollOnce } from '../attempts/recover-attempt';
import { findKey } from '../billing-keys/billing-key-store';
import { findOrder } from '../orders/order-store';
import { payableOrders } from '../payments/order-status';
import { syncOrder } from '../payments/sync-payment';
import { newChargeId } from './charge-id';
import { findBlockingCharge, insertCharges, type NewCharge } from './charge-store';
import { chargeRecovery } from './recover-charge';

type Obstacle =
  | 'order_not_found'
  | 'order_not_payable'
  | 'charge_pending'
  | 'order_scheduled'
  | 'charge_needs_review';

export type NotStarted = { kind: Obstacle; merchantUid: string };

/** A payment of the order may hold money for it, but cannot be verified now. */
export type NotJudged = { kind: 'payment_not_judged' };

type WantedCharge = Omit<NewCharge, 'id'>;

/**
 * Starts a charge that takes money at once. It first asks the service for payments of the order, because the buyer may
 * have paid in another way without our knowledge. Obstacles are checked first; otherwise we could charge without having
 * asked the service, because an obstacle can disappear meanwhile.
 * @throws ServiceError if the service could not be asked, DatabaseError when the charge could not be written; nothing
 * may then be sent
 */
export async function startCharge(
  context: Context,
  wanted: WantedCharge,
): Promise<{ charge: NewCharge } | NotStarted | NotJudged> {
  const { merchantUid } = wanted;
  const obstacle = await findLastingObstacle(context, merchantUid);
  if (obstacle !== null) return { kind: obstacle, merchantUid };
  if (await hasPaymentInDoubt(context, merchantUid)) return { kind: 'payment_not_judged' };
  const charge = { ...wanted, id: newChargeId() };
  return (await insertCharges(context, [charge])) ? { charge } : notStarted(context, [charge]);
}

/**
 * Whether a payment of the order may hold money but could not be verified. All others are stored, and the order shows
 * them.
 */
async function hasPaymentInDoubt(context: Context, merchantUid: string): Promise<boolean> {
  const { payments, unreadable } = await syncOrder(context, merchantUid, 'writes');
  for (const { svcUid } of unreadable) if (await mayHoldMoney(context, svcUid)) return true;
  return payments.some(({ record, outcome }) => outcome === 'queued' && heldByRecord(context, record) !== 0);
}

/** Of a payment that cannot be read. One that was refunded in full holds none. */
async function mayHoldMoney(context: Context, svcUid: string | null): Promise<boolean> {
  const shown = svcUid === null ? null : await fetchHeldMoney(context, svcUid);
  return shown?.held !== 0;
}

/**
 * Starts charges that the service will make later: all of them, or none.
 * @throws DatabaseError when they could not be written; nothing may then be sent
 */
export async function startScheduledCharges(
  context: Context,
  wanted: readonly WantedCharge[],
): Promise<{ charges: NewCharge[] } | NotStarted> {
  const charges = wanted.map((each) => ({ ...each, id: newChargeId() }));
  if (await insertCharges(context, charges)) return { charges };
  const resolved = await Promise.all(charges.map(({ merchantUid }) => pollSchedule(context, merchantUid)));
  if (resolved.includes(true) && (await insertCharges(context, charges))) return { charges };
  return notStarted(context, charges);
}

async function notStarted(context: Context, charges: readonly NewCharge[]): Promise<NotStarted> {
  for (const { merchantUid } of charges) {
    const kind = await findObstacle(context, merchantUid);
    if (kind !== null) return { kind, merchantUid };
  }
  // The obstacle disappeared between the insert and this check, or the key is no longer active. The next try shows
  // which.
  return { kind: 'charge_pending', merchantUid: charges[0]?.merchantUid ?? '' };
}

/** What prevents a charge of the order. A schedule that may have already run is polled first. */
async function findLastingObstacle(context: Context, merchantUid: string): Promise<Obstacle | null> {
  const obstacle = await findObstacle(context, merchantUid);
  const isGone = obstacle === 'order_scheduled' && (await pollSchedule(context, merchantUid));
  return isGone ? findObstacle(context, merchantUid) : obstacle;
}

/**
 * A schedule may have been executed, and its payment may have failed, without our knowledge, so the service is asked.
 * Returns whether a schedule was in the way and is now resolved.
 */
async function pollSchedule(context: Context, merchantUid: string): Promise<boolean> {
  const blocking = await findBlockingCharge(context, merchantUid);
  if (blocking?.status !== 'scheduled') return false;
  return (await pollOnce(context, chargeRecovery, blocking.id)).resolved;
}

async function findObstacle(context: Context, merchantUid: string): Promise<Obstacle | null> {
  const blocking = await findBlockingCharge(context, merchantUid);
  if (blocking?.status === 'scheduled') return 'order_scheduled';
  if (blocking?.status === 'needs_review') return 'charge_needs_review';
  if (blocking) return 'charge_pending';
  const order = await findOrder(context, merchantUid);
  if (!order) return 'order_not_found';
  // An erased member's order must not be charged, even if the service takes its payment back.
  return payableOrders.has(order.status) && order.erasedAt === null ? null : 'order_not_payable';
}

export type KeyProblem = 'key_not_found' | 'key_not_active' | 'key_of_another_member';

/**
 * Returns null if the key may pay. An order without a member can be paid with any key that we have.
 * @throws DatabaseError
 */
export async function findKeyProblem(
  context: Context,
  customerUid: string,
  { memberId }: { memberId: string | null },
): Promise<KeyProblem | null> {
  const key = await findKey(context, customerUid);
  if (!key) return 'key_not_found';
  if (memberId !== null && key.memberId !== memberId) return 'key_of_another_member';
  return key.status === 'active' ? null : 'key_not_active';
}
