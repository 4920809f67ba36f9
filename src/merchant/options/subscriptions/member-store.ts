// The subscriptions of a member who is erased.

import type { Context } from '../../platform/context';
import type { Transaction } from '../../platform/database';
import { erasedColumns } from '../../platform/personal-data';
import { liveSubscriptions } from './subscription-store';

/** Whether an erased member has any. */
export async function hasSubscriptions({ database }: Context, memberId: string): Promise<boolean> {
  return (await database.subscription.findFirst({ where: { memberId }, select: { cycle: true } })) !== null;
}

/** The member's subscriptions that still take money. */
export async function findLiveSubscriptions({ database }: Context, memberId: string): Promise<string[]> {
  const rows = await database.subscription.findMany({
    where: { memberId, status: { in: liveSubscriptions.list } },
    select: { subscriptionId: true },
    orderBy: { subscriptionId: 'asc' },
  });
  return rows.map(({ subscriptionId }) => subscriptionId);
}

/** Erases a member's subscriptions and the member's data in their events. Returns false if one still takes money. */
export async function eraseSubscriptions(
  { features }: Context,
  run: Transaction,
  memberId: string,
): Promise<boolean> {
  const live = await run.subscription.findFirst({
    where: { memberId, status: { in: liveSubscriptions.list } },
    select: { cycle: true },
  });
  if (live) return false;
  await run.$executeRaw`
    update events e set data = e.data || '{"member_id": null}' from subscriptions s
    where s.member_id = ${memberId} and e.stream = 'subscription:' || s.subscription_id`;
  await run.$executeRaw`
    update subscriptions set ${erasedColumns(features, 'subscriptions')} where member_id = ${memberId}`;
  return true;
}
