// The history of an order by its number: what was tried to be paid for it, and each payment that was named together with
// it, here or at the payment service.

import { findOrder, type StoredOrder } from '../core/orders/order-store';
import { findOrderHistory, type OrderCharge } from '../core/reconciliation/payment-history-store';
import { isSvcUid } from '../payment-service/identifiers';
import type { Context } from '../platform/context';
import { explainPayment, type Explanation } from './explain-payment';

export type OrderExplanation = {
  merchantUid: string;
  /** Null if none is registered. */
  order: StoredOrder | null;
  charges: OrderCharge[];
  payments: Explanation[];
};

/**
 * Returns null where nothing is known under this number, neither here nor at the service.
 * @throws ServiceError, DatabaseError
 */
export async function explainOrder(context: Context, merchantUid: string): Promise<OrderExplanation | null> {
  const order = await findOrder(context, merchantUid);
  const { charges, svcUids } = await findOrderHistory(context, merchantUid);
  // A payment whose notification never came is known to the service alone.
  const atService = await context.service.findAllPaymentsByMerchantUid(merchantUid);
  const all = [...new Set([...svcUids, ...atService.map(({ svcUid }) => svcUid)])].filter(isSvcUid);
  if (order === null && all.length === 0) return null;
  const payments: Explanation[] = [];
  for (const svcUid of all) payments.push(await explainPayment(context, svcUid, merchantUid));
  return { merchantUid, order, charges, payments };
}
