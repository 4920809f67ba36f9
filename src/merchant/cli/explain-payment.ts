// The history of one payment and the result of verifying it now, and the same for an order id. Writes nothing.

import { findOrder, type StoredOrder } from '../core/orders/order-store';
import { gatherEvidence } from '../core/payments/gather-evidence';
import { judgePayment, type Verdict } from '../core/payments/judge-payment';
import { readSnapshot } from '../core/payments/payment-store';
import {
  findHistory,
  findOrderHistory,
  type OrderCharge,
  type PaymentHistory,
} from '../core/reconciliation/payment-history-store';
import { isSvcUid } from '../payment-service/identifiers';
import type { PaymentRecord } from '../payment-service/records/payment-record';
import type { Context } from '../platform/context';

export type Explanation = {
  svcUid: string;
  merchantUid: string | null;
  history: PaymentHistory;
  order: StoredOrder | null;
  /** The service's current record; null if it knows no such payment. */
  record: PaymentRecord | null;
  /** Null if nothing names an order. */
  verdict: Verdict | null;
};

/**
 * @param orderNumber the order being explained, for a payment that no row names
 * @throws ServiceError, DatabaseError
 */
export async function explainPayment(
  context: Context,
  svcUid: string,
  orderNumber: string | null = null,
): Promise<Explanation> {
  const history = await findHistory(context, svcUid);
  const last = history.notifications.at(-1);
  const merchantUid =
    history.payment?.merchantUid ??
    last?.merchantUid ??
    orderNumber ??
    (await context.service.findPayment(svcUid))?.merchantUid ??
    null;
  if (merchantUid === null) return { svcUid, merchantUid, history, order: null, record: null, verdict: null };
  const reported = { svcUid, merchantUid, generation: last?.generation };
  const evidence = await gatherEvidence(context, reported, await readSnapshot(context, reported));
  return {
    svcUid,
    merchantUid,
    history,
    order: await findOrder(context, merchantUid),
    record: evidence.record,
    // The same verification as in `syncPayment`, with a confirmed answer.
    verdict: judgePayment({ ...evidence, confirmed: true }),
  };
}

export type OrderExplanation = {
  merchantUid: string;
  /** Null if the order is not registered. */
  order: StoredOrder | null;
  charges: OrderCharge[];
  payments: Explanation[];
};

/**
 * The charges of an order, and each payment that was named together with it, here or at the payment service. Returns
 * null if nothing is known under this id, neither here nor at the service.
 * @throws ServiceError, DatabaseError
 */
export async function explainOrder(context: Context, merchantUid: string): Promise<OrderExplanation | null> {
  const order = await findOrder(context, merchantUid);
  const { charges, svcUids } = await findOrderHistory(context, merchantUid);
  // Only the service knows a payment whose notification never arrived.
  const atService = await context.service.findAllPaymentsByMerchantUid(merchantUid);
  const all = [...new Set([...svcUids, ...atService.map(({ svcUid }) => svcUid)])].filter(isSvcUid);
  if (order === null && all.length === 0) return null;
  const payments: Explanation[] = [];
  for (const svcUid of all) payments.push(await explainPayment(context, svcUid, merchantUid));
  return { merchantUid, order, charges, payments };
}
