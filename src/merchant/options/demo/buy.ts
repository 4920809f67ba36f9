// A purchase in the demo shop: the order is registered before anything else, so that every payment for it has something to
// be checked against, and is then charged to the card that the member has chosen.

import { chargeOrder } from '../../core/charges/charge-order';
import { registerOrder } from '../../core/orders/register-order';
import type { Context } from '../../platform/context';
import { CURRENCY } from './products';

export type Purchase = {
  merchantUid: string;
  memberId: string;
  name: string;
  amount: number;
  /** Null: in the payment window. */
  customerUid: string | null;
};

/**
 * Sent a second time it changes nothing: the order is the same, and a charge that is there refuses another one.
 * @returns `open_window` where the buyer goes on there; else what became of the charge, which the page of the order shows
 */
export async function buy(context: Context, purchase: Purchase): Promise<string> {
  const { customerUid, ...order } = purchase;
  const { outcome } = await registerOrder(context, { ...order, currency: CURRENCY });
  if (outcome === 'conflict') return outcome;
  if (customerUid === null) return 'open_window';
  const { kind } = await chargeOrder(context, { merchantUid: order.merchantUid, customerUid });
  return kind;
}
