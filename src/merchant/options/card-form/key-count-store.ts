// The number of a member's cards, which is limited.

import { heldKeys } from '../../core/billing-keys/billing-key-store';
import type { Context } from '../../platform/context';

/**
 * Counts a member's cards for the limits. A declined card has no key and does not count.
 * @returns `held`: cards that the member has, including those that are being checked or removed. `registeredAt`: when
 * cards were registered between these times, including removed ones; the oldest first
 */
export async function countKeys(
  { database }: Context,
  memberId: string,
  { from, to }: { from: Date; to: Date },
): Promise<{ held: number; registeredAt: Date[] }> {
  const keys = await database.billingKey.findMany({
    where: {
      memberId,
      OR: [{ status: { in: heldKeys.list } }, { status: 'removed', createdAt: { gt: from, lte: to } }],
    },
    select: { status: true, createdAt: true },
    orderBy: { createdAt: 'asc' },
  });
  return {
    held: keys.filter(({ status }) => heldKeys.has(status)).length,
    registeredAt: keys
      .map(({ createdAt }) => createdAt)
      .filter((createdAt) => createdAt > from && createdAt <= to),
  };
}
