// Registers and closes orders. Without an order there is nothing to verify a payment against.

import type { Context } from '../../platform/context';
import { settingsOf } from '../../platform/settings';
import { deliverSoon } from '../events/save-events';
import { findOrder, insertOrder, markClosed, type NewOrder, type StoredOrder } from './order-store';
import { orderSettings } from './settings';

type OrderRegistration =
  | { outcome: 'created'; order: StoredOrder }
  /** The same order again. Its name and payment fields stay as first registered. */
  | { outcome: 'known'; order: StoredOrder }
  /** The merchant_uid is registered with another amount, currency or member. It is not changed. */
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
 * With ANNOUNCE_ORDERS we tell the service the amount of an order (§4.9), so that it refuses another amount before
 * money moves. This is an additional safeguard; every payment is still verified.
 * Called for orders that wait for a buyer, because key-in payments and schedules send their own amount. A failure does
 * not delay the order for long, does not make it fail, and is not retried.
 */
export async function announceOrder(
  { config, service, logger }: Context,
  { merchantUid, amount }: NewOrder,
): Promise<void> {
  if (!settingsOf(config, orderSettings).ANNOUNCE_ORDERS) return;
  try {
    await service.preparePayment(merchantUid, amount);
  } catch (error) {
    logger.warn({ event: 'order_not_announced', merchant_uid: merchantUid, err: error });
  }
}

type OrderClosing =
  | { kind: 'closed'; order: StoredOrder }
  | { kind: 'order_not_found' | 'order_not_closable' };

/**
 * Closes an order that should not be paid, such as an abandoned basket. Its schedule is revoked. A later payment is still
 * recorded and shows as `paid_after_close`, because an open payment window cannot be revoked. Closing a closed order
 * changes nothing.
 */
export async function closeOrder(context: Context, merchantUid: string): Promise<OrderClosing> {
  if (await markClosed(context, merchantUid)) deliverSoon(context);
  const order = await findOrder(context, merchantUid);
  if (!order) return { kind: 'order_not_found' };
  return order.status === 'closed' ? { kind: 'closed', order } : { kind: 'order_not_closable' };
}
