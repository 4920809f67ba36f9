// A member's cards as limits count them, and the end of counts that are over; `billing-keys/limit-card.ts` has the counts of tries.

import type { Context } from '../../platform/context';

/** A member's keys as limits count them. */
export type CountedKeys = {
  /** Cards that the member has, also those that are being checked or removed. */
  held: number;
  /** When those came that were registered since then, whether they are still there or not; the oldest first. */
  registeredAt: Date[];
};

/** A card that was declined has no key, and does not count. */
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
