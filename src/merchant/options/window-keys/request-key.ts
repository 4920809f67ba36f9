// Requests a billing key that the member issues in the payment window. The row is committed before anybody can open the
// window, so no key comes back without one.

import { hasRoomForKey } from '../../core/billing-keys/billing-key-store';
import { findOrder } from '../../core/orders/order-store';
import { fromStoredFields } from '../../core/orders/payment-fields';
import { TOLERANCE_MS } from '../../core/payments/issued-key';
import { payableOrders } from '../../core/payments/order-status';
import type { Context } from '../../platform/context';
import { randomLetters } from '../../platform/random-letters';
import { insertRequest, type StoredRequest } from './request-store';

/** Our choice: longer than a window stays open, and short enough that nobody has forgotten it. */
const LIFETIME_MS = 60 * 60_000;
const CURRENCY = 'KRW';
/** What the window shows if no order is paid. The member reads it. */
const NAME = '결제수단 등록';

export type KeyWish = {
  memberId: string;
  /** The order that is paid with it; null to issue the key alone. */
  merchantUid: string | null;
  returnUrl: string | null;
};

/** What the browser call takes besides `pg`, `pay_method` and the address that it returns to, under the document's names. */
export type WindowFields = {
  customer_uid: string;
  merchant_uid: string;
  name: string;
  amount: number;
  currency: string;
} & Partial<Record<'buyer_name' | 'buyer_email' | 'buyer_tel' | 'buyer_addr' | 'buyer_postcode', string>> & {
    tax_free?: number;
  };

type KeyRequestOutcome =
  | { kind: 'requested'; request: StoredRequest; window: WindowFields }
  | { kind: 'order_not_found' | 'order_not_payable' | 'order_of_another_member' | 'too_many_cards' };

export async function requestKey(context: Context, wish: KeyWish): Promise<KeyRequestOutcome> {
  const { memberId, merchantUid, returnUrl } = wish;
  const order = merchantUid === null ? null : await findOrder(context, merchantUid);
  if (merchantUid !== null && order === null) return { kind: 'order_not_found' };
  // Only an order that names the member can be refused if another member's key pays.
  if (order !== null && order.memberId !== memberId) return { kind: 'order_of_another_member' };
  if (order !== null && !payableOrders.has(order.status)) return { kind: 'order_not_payable' };
  if (!(await hasRoomForKey(context, memberId))) return { kind: 'too_many_cards' };
  const createdAt = context.clock.now();
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS);
  const request: StoredRequest = {
    customerUid: `window_${randomLetters(16)}`,
    memberId,
    merchantUid: merchantUid ?? `key-${randomLetters(12)}`,
    amount: order?.amount ?? 0n,
    currency: order?.currency ?? CURRENCY,
    returnUrl,
    createdAt,
    expiresAt,
    checkAt: new Date(expiresAt.getTime() + TOLERANCE_MS),
  };
  await insertRequest(context, request);
  return { kind: 'requested', request, window: windowOf(request, order) };
}

/** @param order that is paid with the key; null if none is */
export function windowOf(request: StoredRequest, order: Awaited<ReturnType<typeof findOrder>>): WindowFields {
  const { customerUid, merchantUid, amount, currency } = request;
  const { taxFree, buyer = {} } = order ? fromStoredFields(order) : {};
  const ofBuyer = Object.entries(buyer).flatMap(([name, value]) => (value ? [[`buyer_${name}`, value]] : []));
  return {
    customer_uid: customerUid,
    merchant_uid: merchantUid,
    name: order?.name ?? NAME,
    amount: Number(amount),
    currency,
    ...(taxFree !== undefined && { tax_free: taxFree }),
    ...(Object.fromEntries(ofBuyer) as object),
  };
}
