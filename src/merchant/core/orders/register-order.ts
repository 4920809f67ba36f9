// The merchant says what it expects to be paid. Without this there is nothing that a payment could be checked against.

import type { Context } from '../../platform/context';
import { findOrder, insertOrder, type NewOrder, type StoredOrder } from './order-store';

export type OrderRegistration =
  | { outcome: 'created'; order: StoredOrder }
  /** The same order again. Its name and what its payment carries stay as they were first registered. */
  | { outcome: 'known'; order: StoredOrder }
  /** The merchant_uid stands for another amount, currency or member: it is not changed. */
  | { outcome: 'conflict' };

export async function registerOrder(context: Context, order: NewOrder): Promise<OrderRegistration> {
  const isNew = await insertOrder(context, order);
  const stored = await findOrder(context, order.merchantUid);
  if (!stored) throw new Error('an order vanished between insert and read');
  if (isNew) return { outcome: 'created', order: stored };
  const isSame =
    stored.amount === BigInt(order.amount) &&
    stored.currency === order.currency &&
    (order.memberId === null || stored.memberId === order.memberId);
  return isSame ? { outcome: 'known', order: stored } : { outcome: 'conflict' };
}
