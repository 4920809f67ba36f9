// Schedules that are to be revoked: `attempts/schedules-to-revoke.ts` writes the rows. Each row stays until its charge is
// resolved.

import { Prisma, type Charge, type Order } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { growingGap } from '../../platform/drain-due-rows';
import { chargeStatuses } from '../attempts/attempt-statuses';
import { nextVersion, saveEvents, subscriptionOfOrder } from '../events/save-events';
import { finishedOrders } from '../payments/order-status';

export type ClaimedRevocation = Pick<
  Charge,
  'id' | 'merchantUid' | 'customerUid' | 'scheduleAt' | 'status' | 'svcUid'
>;

/**
 * Claims schedules that are due to be revoked: no other process tries them before the next try. The gaps grow with the
 * time since the order was finished, and halve towards the time of the payment. They are real time; the payment is on the
 * shop's clock.
 */
export async function claimRevocations(
  { database, clock, realClock }: Context,
  limit: number,
): Promise<ClaimedRevocation[]> {
  const now = realClock.now();
  const shopNow = clock.now();
  const waited = Prisma.sql`${now}::timestamptz - r.since,
    case when c.schedule_at > ${shopNow}::timestamptz then (c.schedule_at - ${shopNow}::timestamptz) / 2 end`;
  return database.$queryRaw<ClaimedRevocation[]>`
    with due as (
      select charge_id from schedule_revocations where next_try_at <= ${now}::timestamptz
      order by next_try_at limit ${limit} for update skip locked
    )
    update schedule_revocations r set next_try_at = ${now}::timestamptz + ${growingGap(waited)}
    from due join charges c on c.id = due.charge_id where r.charge_id = due.charge_id
    returning c.id, c.merchant_uid as "merchantUid", c.customer_uid as "customerUid", c.schedule_at as "scheduleAt",
      c.status::text as status, c.svc_uid as "svcUid"`;
}

/** Longer than several runs of the job. */
const DUE_SOON_MS = 10 * 60_000;

/**
 * Marks schedules that are due soon, although their order is finished. There are some only if the order was finished
 * without this program: by its version before this table, by a restored backup, or by hand.
 */
export async function markForgottenSchedules({ database, clock, realClock }: Context): Promise<void> {
  const now = clock.now();
  const realNow = realClock.now();
  const soon = new Date(now.getTime() + DUE_SOON_MS);
  await database.$executeRaw`
    insert into schedule_revocations (charge_id, since, next_try_at)
    select c.id, ${realNow}::timestamptz, ${realNow}::timestamptz from charges c join orders o using (merchant_uid)
    where c.schedule_at > ${now}::timestamptz and c.schedule_at <= ${soon}::timestamptz
      and c.status in ${chargeStatuses.open.sql} and o.status in ${finishedOrders.sql}
    on conflict (charge_id) do nothing`;
}

/** Its charge is resolved. */
export async function deleteRevocation({ database }: Context, chargeId: string): Promise<void> {
  await database.scheduleRevocation.deleteMany({ where: { chargeId } });
}

/**
 * Writes why a try has failed. The first failure is told by an event of the order.
 * @returns whether it is the first failure
 */
export async function markNotRevoked(
  { database, clock, features }: Context,
  { id, merchantUid, customerUid, scheduleAt }: ClaimedRevocation,
  reason: string,
): Promise<boolean> {
  const now = clock.now();
  return database.$atomically(async (run) => {
    const [written] = await run.$queryRaw<{ isFirst: boolean }[]>`
      with before as (select reason from schedule_revocations where charge_id = ${id} for update)
      update schedule_revocations r set reason = ${reason} from before where r.charge_id = ${id}
      returning before.reason is null as "isFirst"`;
    if (!written?.isFirst) return false;
    const [order] = await run.$queryRaw<AboutOrder[]>`
      update orders o set version = ${nextVersion('o')} where o.merchant_uid = ${merchantUid}
      returning o.version, o.status::text as status, o.amount, o.currency, o.member_id,
        ${subscriptionOfOrder({ features })} as subscription_id`;
    if (!order) return false;
    const { version, amount } = order;
    const data = {
      ...order,
      merchant_uid: merchantUid,
      amount: Number(amount),
      customer_uid: customerUid,
      charge_id: id,
      schedule_at: scheduleAt?.toISOString() ?? null,
      reason,
    };
    await saveEvents(run, [
      { stream: merchantUid, version, type: 'schedule.not_revoked', data, occurredAt: now },
    ]);
    return true;
  });
}

type AboutOrder = Pick<Order, 'version' | 'status' | 'amount' | 'currency'> & {
  member_id: string | null;
  subscription_id: string | null;
};
