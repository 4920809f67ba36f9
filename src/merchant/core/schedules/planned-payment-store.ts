// Reads the payments that are planned: the service holds their schedule, or may hold it.

import { Prisma, type Charge, type Order } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { chargeStatuses } from '../attempts/attempt-statuses';

export type PlannedPayment = Pick<Charge, 'id' | 'merchantUid' | 'customerUid' | 'status'> &
  Pick<Order, 'memberId' | 'name' | 'amount' | 'currency'> & { scheduleAt: Date };

export type PlannedFilter = {
  memberId?: string | undefined;
  merchantUid?: string | undefined;
  customerUid?: string | undefined;
  /** The last one of the page before. */
  after?: Pick<PlannedPayment, 'scheduleAt' | 'id'> | undefined;
};

/** The first one due comes first. */
export async function findPlannedPayments(
  { database }: Context,
  { memberId, merchantUid, customerUid, after }: PlannedFilter,
  take: number,
): Promise<PlannedPayment[]> {
  const conditions = [
    // The first condition lets the query start within an index.
    ...(after
      ? [
          Prisma.sql`c.schedule_at >= ${after.scheduleAt}::timestamptz
            and (c.schedule_at, c.id) > (${after.scheduleAt}::timestamptz, ${after.id})`,
        ]
      : []),
    ...(memberId === undefined ? [] : [Prisma.sql`o.member_id = ${memberId}`]),
    ...(merchantUid === undefined ? [] : [Prisma.sql`c.merchant_uid = ${merchantUid}`]),
    ...(customerUid === undefined ? [] : [Prisma.sql`c.customer_uid = ${customerUid}`]),
  ];
  return database.$queryRaw<PlannedPayment[]>`
    select c.id, c.merchant_uid as "merchantUid", c.customer_uid as "customerUid", c.status::text as status,
      c.schedule_at as "scheduleAt", o.member_id as "memberId", o.name, o.amount, o.currency
    from charges c join orders o using (merchant_uid)
    where ${Prisma.join([isPlanned, ...conditions], ' and ')}
    order by c.schedule_at, c.id limit ${take}`;
}

/** As in the partial index over it. */
const isPlanned = Prisma.sql`c.schedule_at is not null and c.status in ${chargeStatuses.open.sql}`;
