// What a member has bought in the demo shop.

import type { Context } from '../../platform/context';

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
