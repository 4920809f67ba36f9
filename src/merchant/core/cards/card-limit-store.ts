// Counts a member's cards for the limits, and deletes expired counts. `billing-keys/limit-card.ts` counts card
// attempts.

import type { Context } from '../../platform/context';

/** A member's keys, as the limits count them. */
export type CountedKeys = {
  /** Cards that the member has, including those that are being checked or removed. */
  held: number;
  /** Registration times of the cards registered since then, including removed ones; the oldest first. */
  registeredAt: Date[];
};

/** A declined card has no key and does not count. */
export async function countKeys({ database }: Context, memberId: string, since: Date): Promise<CountedKeys> {
  const keys = await database.billingKey.findMany({
    where: {
      memberId,
      status: { not: 'failed' },
      OR: [{ status: { not: 'removed' } }, { createdAt: { gt: since } }],
    },
    select: { status: true, createdAt: true },
    orderBy: { createdAt: 'asc' },
  });
  return {
    held: keys.filter(({ status }) => status !== 'removed').length,
    registeredAt: keys.map(({ createdAt }) => createdAt).filter((createdAt) => createdAt > since),
  };
}

/** Job `forget-card-attempts`: deletes the counts whose window is over, and with them the hashes of card numbers. */
export async function forgetCardAttempts({ database, clock }: Context): Promise<void> {
  await database.cardLimit.deleteMany({ where: { expire: { lte: clock.now().getTime() } } });
}
