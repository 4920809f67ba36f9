// What a member has bought in the demo shop, and what the landing page says of all orders.

import type { CardUse, Context } from '../../platform/context';

const SHOWN = 50;

/** The newest first; the orders of a plan are on its page. */
export async function findMemberOrders({ database }: Context, memberId: string) {
  return database.order.findMany({
    where: {
      memberId,
      merchantUid: { startsWith: 'demo-' },
      NOT: { merchantUid: { startsWith: 'demo-plan-' } },
    },
    orderBy: { createdAt: 'desc' },
    take: SHOWN,
  });
}

/** The newest first. */
export async function findMemberPlans({ database }: Context, memberId: string) {
  return database.subscription.findMany({
    where: { memberId, subscriptionId: { startsWith: 'demo-plan-' } },
    orderBy: { createdAt: 'desc' },
    take: SHOWN,
  });
}

/** The payments of these orders. */
export async function findPaymentsOf({ database }: Context, merchantUids: readonly string[]) {
  return database.payment.findMany({
    where: { merchantUid: { in: [...merchantUids] } },
    select: { svcUid: true, merchantUid: true, status: true, paidAt: true, failedAt: true, createdAt: true },
    orderBy: { createdAt: 'desc' },
    take: SHOWN,
  });
}

/** The plans that go on, by the card that pays for them. */
export async function findCardUses({ database }: Context, memberId: string): Promise<CardUse[]> {
  const plans = await database.subscription.findMany({
    where: { memberId, subscriptionId: { startsWith: 'demo-plan-' }, status: { in: ['active', 'past_due'] } },
    orderBy: { createdAt: 'desc' },
    take: SHOWN,
    select: { subscriptionId: true, customerUid: true, name: true },
  });
  return plans.map(({ subscriptionId, customerUid, name }) => ({
    customerUid,
    name,
    page: `/demo/subscriptions/${subscriptionId}`,
  }));
}

/** A person has not done what `npm run seed` has made. */
const NOT_SEEDED = { not: { startsWith: 'seed-' } };

/** The number of orders, the newest event (null if there is none), and which first steps somebody has made. */
export async function findState({ database }: Context) {
  const [orders, lastEvent, card, paid, plan, refund] = await Promise.all([
    database.order.count(),
    database.event.findFirst({
      orderBy: { id: 'desc' },
      select: { type: true, stream: true, occurredAt: true },
    }),
    database.billingKey.findFirst({ where: { customerUid: NOT_SEEDED }, select: { customerUid: true } }),
    database.payment.findFirst({
      where: { counted: true, merchantUid: NOT_SEEDED },
      select: { svcUid: true },
    }),
    database.subscription.findFirst({
      // It has been renewed.
      where: { subscriptionId: NOT_SEEDED, cycle: { gt: 2 } },
      select: { subscriptionId: true },
    }),
    database.payment.findFirst({
      where: { cancelAmount: { gt: 0 }, merchantUid: NOT_SEEDED },
      select: { svcUid: true },
    }),
  ]);
  const steps = { card: card !== null, paid: paid !== null, plan: plan !== null, refund: refund !== null };
  return { orders, lastEvent, steps };
}
