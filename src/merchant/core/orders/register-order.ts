// The merchant says what it expects to be paid, and may say later that nobody shall pay. Without an order there is nothing
// that a payment could be checked against.

import type { Context } from '../../platform/context';
import { deliverSoon } from '../events/save-events';
import { findOrder, insertOrder, markClosed, type NewOrder, type StoredOrder } from './order-store';

type OrderRegistration =
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

/**
 * With ANNOUNCE_ORDERS the service is told the amount of an order (§4.9), so that it refuses another one before any money
 * moves. It is a second lock: the judgement of every payment stays as it is.
 * Called for orders that wait for a buyer: a key-in payment or a schedule names its amount itself. A failure neither
 * holds an order up for long nor fails it, and nothing sends the announcement again.
 */
export async function announceOrder(
  { config, service, logger }: Context,
  { merchantUid, amount }: NewOrder,
): Promise<void> {
  if (!config.announceOrders) return;
  try {
    await service.preparePayment(merchantUid, amount);
  } catch (error) {
    logger.warn({ event: 'order_not_announced', merchant_uid: merchantUid, err: error });
  }
}

type OrderClosing =
  { kind: 'closed'; order: StoredOrder } | { kind: 'order_not_found' | 'order_not_closable' };

/**
 * Its basket was given up, or its article is sold. What is paid all the same is recorded and shows as `paid_after_close`,
 * because the payment window cannot be taken back. Closing one that is closed changes nothing.
 */
export async function closeOrder(context: Context, merchantUid: string): Promise<OrderClosing> {
  if (await markClosed(context, merchantUid)) deliverSoon(context);
  const order = await findOrder(context, merchantUid);
  if (!order) return { kind: 'order_not_found' };
  return order.status === 'closed' ? { kind: 'closed', order } : { kind: 'order_not_closable' };
}
