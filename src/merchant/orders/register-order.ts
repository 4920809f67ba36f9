// The merchant says what it expects to be paid. Without this there is nothing that a payment could be checked against.

import type { Clock } from '../clock';
import type { NewOrder, OrderStore, StoredOrder } from './order-store';

export type OrderRegistration =
  | { outcome: 'created'; order: StoredOrder }
  /** The same order again. */
  | { outcome: 'known'; order: StoredOrder }
  /** The merchant_uid stands for another amount, currency or member: it is not changed. */
  | { outcome: 'conflict' };

export type RegisterOrder = (order: NewOrder) => Promise<OrderRegistration>;

type Dependencies = { store: OrderStore; clock: Clock };

export function createRegisterOrder({ store, clock }: Dependencies): RegisterOrder {
  return async (order) => {
    const created = await store.insertOrder(order, clock.now());
    const stored = await store.findOrder(order.merchantUid);
    if (!stored) throw new Error('an order vanished between insert and read');
    if (created) return { outcome: 'created', order: stored };
    const same =
      stored.amount === BigInt(order.amount) &&
      stored.currency === order.currency &&
      (order.memberId === null || stored.memberId === order.memberId);
    return same ? { outcome: 'known', order: stored } : { outcome: 'conflict' };
  };
}
