// Orders in the database: what the merchant expects to be paid.

import type { Database } from '../database';

export type OrderStore = ReturnType<typeof createOrderStore>;

export type NewOrder = {
  merchantUid: string;
  name: string;
  amount: number;
  currency: string;
  memberId: string | null;
};

export function createOrderStore(database: Database) {
  return {
    /** Inserts an order, or leaves the one that is there alone. @returns whether it was inserted */
    async insertOrder({ amount, ...order }: NewOrder, now: Date): Promise<boolean> {
      const { count } = await database.order.createMany({
        data: [{ ...order, amount: BigInt(amount), createdAt: now, updatedAt: now }],
        skipDuplicates: true,
      });
      return count === 1;
    },

    /** An order with its payments, oldest first; null where there is none. */
    async findOrder(merchantUid: string) {
      return database.order.findUnique({
        where: { merchantUid },
        include: { payments: { orderBy: [{ createdAt: 'asc' }, { svcUid: 'asc' }] } },
      });
    },
  };
}

export type StoredOrder = NonNullable<Awaited<ReturnType<OrderStore['findOrder']>>>;
