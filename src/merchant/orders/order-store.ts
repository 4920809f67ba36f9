// Orders in the database: what the merchant expects to be paid.

import type { Context } from '../context';
import { toStoredFields, type PaymentFields } from './payment-fields';

export type NewOrder = PaymentFields & {
  merchantUid: string;
  name: string;
  amount: number;
  currency: string;
  memberId: string | null;
};

/** Inserts an order, or leaves the one that is there alone. Returns whether it was inserted. */
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

/** An order with its payments, oldest first. Returns null if there is none. */
export async function findOrder({ database }: Context, merchantUid: string) {
  return database.order.findUnique({
    where: { merchantUid },
    include: { payments: { orderBy: [{ createdAt: 'asc' }, { svcUid: 'asc' }] } },
  });
}
