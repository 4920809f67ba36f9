// Nobody has paid for an order, and nobody shall: its basket was given up, or its article is sold. What is paid all the
// same is recorded and shows as `paid_after_close`, because the payment window cannot be taken back.

import type { Context } from '../../platform/context';
import { deliverSoon } from '../events/save-events';
import { findOrder, markClosed, type StoredOrder } from './order-store';

export type OrderClosing =
  { kind: 'closed'; order: StoredOrder } | { kind: 'order_not_found' | 'order_not_closable' };

/** Closing one that is closed changes nothing. */
export async function closeOrder(context: Context, merchantUid: string): Promise<OrderClosing> {
  if (await markClosed(context, merchantUid)) deliverSoon(context);
  const order = await findOrder(context, merchantUid);
  if (!order) return { kind: 'order_not_found' };
  return order.status === 'closed' ? { kind: 'closed', order } : { kind: 'order_not_closable' };
}
