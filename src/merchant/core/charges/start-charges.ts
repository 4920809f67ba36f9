// Before a call that takes money, now or later: the key may pay, the order can be charged, no other charge of it is open, and the
// charge has its row.

import type { Context } from '../../platform/context';
import { pollOnce } from '../attempts/recover-attempt';
import { findKey } from '../billing-keys/billing-key-store';
import { findOrder, payableOrders } from '../orders/order-store';
import { heldByRecord } from '../payments/held-money';
import { syncOrder } from '../payments/sync-payment';
import { newChargeId } from './charge-id';
import { findUnsettledCharge, insertCharges, type NewCharge } from './charge-store';
import { chargeRecovery } from './recover-charge';

type Obstacle =
  'order_not_found' | 'order_not_payable' | 'charge_pending' | 'order_scheduled' | 'charge_needs_review';

export type NotStarted = { kind: Obstacle; merchantUid: string };

/** A payment of the order may hold money for it, and cannot be judged now. */
export type NotJudged = { kind: 'payment_not_judged' };

type WantedCharge = Omit<NewCharge, 'id'>;

/**
 * Before a call that takes money at once. The service is asked for payments of the order first: its buyer may have paid
 * in another way, and we may not have heard of it. Whatever keeps the order from being charged is looked for before that, so
 * that no charge is made unasked because it is gone a moment later.
 * @throws ServiceError where the service could not be asked, DatabaseError when the charge could not be written: then
 * nothing may be sent
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

/** Whether a payment of the order may hold money and could not be judged. What could is stored, and the order shows it. */
async function hasPaymentInDoubt(context: Context, merchantUid: string): Promise<boolean> {
  const payments = await syncOrder(context, merchantUid, 'operations');
  return payments.some(({ record, outcome }) => outcome === 'queued' && heldByRecord(context, record) !== 0);
}

/**
 * Before the service is told to take money later. Starts all of them, or none.
 * @throws DatabaseError when they could not be written: then nothing may be sent
 */
export async function startScheduledCharges(
  context: Context,
  wanted: readonly WantedCharge[],
): Promise<{ charges: NewCharge[] } | NotStarted> {
  const charges = wanted.map((each) => ({ ...each, id: newChargeId() }));
  if (await insertCharges(context, charges)) return { charges };
  const settled = await Promise.all(charges.map(({ merchantUid }) => settleSchedule(context, merchantUid)));
  if (settled.includes(true) && (await insertCharges(context, charges))) return { charges };
  return notStarted(context, charges);
}

async function notStarted(context: Context, charges: readonly NewCharge[]): Promise<NotStarted> {
  for (const { merchantUid } of charges) {
    const kind = await findObstacle(context, merchantUid);
    if (kind !== null) return { kind, merchantUid };
  }
  // The obstacle was removed between the insert and the search for it, or the key went out of use: the next try shows.
  return { kind: 'charge_pending', merchantUid: charges[0]?.merchantUid ?? '' };
}

/** What keeps the order from being charged, also after a look at the schedule that does. */
async function findLastingObstacle(context: Context, merchantUid: string): Promise<Obstacle | null> {
  const obstacle = await findObstacle(context, merchantUid);
  const isGone = obstacle === 'order_scheduled' && (await settleSchedule(context, merchantUid));
  return isGone ? findObstacle(context, merchantUid) : obstacle;
}

/**
 * A schedule may have been executed, and its payment may have failed, before we heard of it: the service knows.
 * Returns whether one was in the way and is settled now.
 */
async function settleSchedule(context: Context, merchantUid: string): Promise<boolean> {
  const unsettled = await findUnsettledCharge(context, merchantUid);
  if (unsettled?.status !== 'scheduled') return false;
  return (await pollOnce(context, chargeRecovery, unsettled.id)).settled;
}

async function findObstacle(context: Context, merchantUid: string): Promise<Obstacle | null> {
  const unsettled = await findUnsettledCharge(context, merchantUid);
  if (unsettled?.status === 'scheduled') return 'order_scheduled';
  if (unsettled?.status === 'needs_review') return 'charge_needs_review';
  if (unsettled) return 'charge_pending';
  const order = await findOrder(context, merchantUid);
  if (!order) return 'order_not_found';
  // Nobody is charged for a member who was erased, should the service take the payment of the order back.
  return payableOrders.has(order.status) && order.erasedAt === null ? null : 'order_not_payable';
}

export type KeyProblem = 'key_not_found' | 'key_not_active' | 'key_of_another_member';

/**
 * Returns null if the key may pay. Any key that we hold may pay for an order that names no member.
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
