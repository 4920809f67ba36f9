// Stores orders: what the merchant expects to be paid.

import type { Order } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import type { OrderEvent } from '../../shop/event';
import { chargeStatuses } from '../attempts/attempt-statuses';
import { isRevocable, markToRevoke, revokeSoon } from '../attempts/schedules-to-revoke';
import { nextVersion, saveEvents, subscriptionOfOrder } from '../events/save-events';
import { payableOrders } from '../payments/order-status';
import { toStoredFields, type PaymentFields } from './payment-fields';

export type NewOrder = PaymentFields & {
  merchantUid: string;
  name: string;
  amount: number;
  currency: string;
  memberId: string | null;
};

/** Inserts an order if its merchant_uid is new. Returns whether it was inserted. */
export async function insertOrder(
  { database, clock }: Context,
  { merchantUid, name, amount, currency, memberId, ...fields }: NewOrder,
): Promise<boolean> {
  const now = clock.now();
  const order = { merchantUid, name, amount: BigInt(amount), currency, memberId, ...toStoredFields(fields) };
  const { count } = await database.order.createMany({
    data: [{ ...order, createdAt: now, updatedAt: now }],
    skipDuplicates: true,
  });
  return count === 1;
}

export type StoredOrder = NonNullable<Awaited<ReturnType<typeof findOrder>>>;

/** An order with its payments, the oldest first. Returns null if there is none. */
export async function findOrder({ database }: Context, merchantUid: string) {
  return database.order.findUnique({
    where: { merchantUid },
    include: { payments: { orderBy: [{ createdAt: 'asc' }, { svcUid: 'asc' }] } },
  });
}

type OrderFilter = Partial<Pick<Order, 'memberId' | 'status'>> & {
  updatedFrom?: Date | undefined;
  /** The last order of the previous page. */
  after?: Pick<Order, 'updatedAt' | 'merchantUid'> | undefined;
};

/** The oldest change first. */
export async function findOrders(
  { database }: Context,
  { updatedFrom, after, ...columns }: OrderFilter,
  take: number,
) {
  return database.order.findMany({
    where: {
      ...columns,
      ...(updatedFrom !== undefined && { updatedAt: { gte: updatedFrom } }),
      ...(after !== undefined && {
        AND: {
          updatedAt: { gte: after.updatedAt },
          OR: [{ updatedAt: { gt: after.updatedAt } }, { merchantUid: { gt: after.merchantUid } }],
        },
      }),
    },
    include: { payments: { orderBy: [{ createdAt: 'asc' }, { svcUid: 'asc' }] } },
    orderBy: [{ updatedAt: 'asc' }, { merchantUid: 'asc' }],
    take,
  });
}

/**
 * Closes an order and stores its event, unless it is paid or has an unresolved charge. A schedule that is not due does not
 * prevent this: it is marked to be revoked. Nor does an open virtual account, because anyone who knows the order's id can
 * open one, with any deadline. A later payment or deposit is recorded and shows as `paid_after_close`. The order is locked
 * by a separate first statement. `insertCharges` takes the same lock, so the second statement sees every charge that could
 * still be sent.
 * @returns whether it was closed
 */
export async function markClosed(context: Context, merchantUid: string): Promise<boolean> {
  const { database, clock, realClock } = context;
  const now = clock.now();
  const closed = await database.$atomically(async (run) => {
    await run.$queryRaw`select from orders where merchant_uid = ${merchantUid} for update`;
    const [closed] = await run.$queryRaw<ClosedOrder[]>`
      with before as (
        select status from orders o
        where merchant_uid = ${merchantUid} and status in ${payableOrders.sql}
          and not exists (select from charges c where c.merchant_uid = o.merchant_uid
            and c.status in ${chargeStatuses.blocking.sql}
            and not (${isRevocable} and (c.status = 'needs_review' or c.schedule_at > ${now}::timestamptz)))
      )
      update orders o set status = 'closed', version = ${nextVersion('o')}, updated_at = ${now}::timestamptz
      from before where o.merchant_uid = ${merchantUid}
      returning o.version, o.amount, o.currency, o.member_id, before.status as previous_status,
        ${subscriptionOfOrder(context)} as subscription_id,
        (select coalesce(sum(p.cancel_amount), 0)::bigint from payments p
          where p.merchant_uid = o.merchant_uid and p.counted and p.status in ('paid', 'cancelled')) as refunded_amount`;
    if (!closed) return null;
    const data: OrderEvent['data'] = {
      ...closed,
      merchant_uid: merchantUid,
      status: 'closed',
      amount: Number(closed.amount),
      refunded_amount: Number(closed.refunded_amount),
      svc_uid: null,
      refund: null,
    };
    const { version } = closed;
    await saveEvents(run, [{ stream: merchantUid, version, type: 'order.closed', data, occurredAt: now }]);
    const finished = [{ merchant_uid: merchantUid, custom_data: '' }];
    return run.$queryRaw<unknown[]>`${markToRevoke(finished, realClock.now())}`;
  });
  if (closed === null) return false;
  if (closed.length > 0) revokeSoon(context);
  return true;
}

type ClosedOrder = Pick<
  OrderEvent['data'],
  'version' | 'currency' | 'member_id' | 'previous_status' | 'subscription_id'
> & { amount: bigint; refunded_amount: bigint };
