// Orders in the database: what the merchant expects to be paid.

import type { Context } from '../context';

export type NewOrder = {
  merchantUid: string;
  name: string;
  amount: number;
  currency: string;
  memberId: string | null;
};

/** Inserts an order, or leaves the one that is there alone. Returns whether it was inserted. */
export async function insertOrder(
  { database, clock }: Context,
  { amount, ...order }: NewOrder,
): Promise<boolean> {
  const now = clock.now();
  const { count } = await database.order.createMany({
    data: [{ ...order, amount: BigInt(amount), createdAt: now, updatedAt: now }],
    skipDuplicates: true,
  });
  return count === 1;
}

export type StoredOrder = NonNullable<Awaited<ReturnType<typeof findOrder>>>;

/** An order with its payments, oldest first. Returns null if there is none. */
export async function findOrder({ database }: Context, merchantUid: string) {
  return database.order.findUnique({
    where: { merchantUid },
    include: { payments: { orderBy: [{ createdAt: 'asc' }, { svcUid: 'asc' }] } },
  });
}
