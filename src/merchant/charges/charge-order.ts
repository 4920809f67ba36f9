// A registered order is paid with a stored billing key (§4.9, "again").

import { findKeyProblem, type KeyProblem } from '../billing-keys/check-billing-key';
import type { Context } from '../context';
import { findOrder } from '../orders/order-store';
import { toCustomData } from './charge-id';
import { startCharge, type NotStarted } from './start-charges';
import { submitCharge, type SubmittedCharge } from './submit-charge';

export type ChargeOutcome = SubmittedCharge | { kind: NotStarted['kind'] | KeyProblem };

/**
 * The row is written before the call, which is sent once; a lost answer is polled for by `recovery/`.
 * @throws DatabaseError when the charge could not be written: then nothing was sent
 */
export async function chargeOrder(
  context: Context,
  { merchantUid, customerUid }: { merchantUid: string; customerUid: string },
): Promise<ChargeOutcome> {
  const order = await findOrder(context, merchantUid);
  if (!order) return { kind: 'order_not_found' };
  const problem = await findKeyProblem(context, customerUid, order);
  if (problem) return { kind: problem };
  const started = await startCharge(context, { merchantUid, kind: 'again', customerUid, scheduleAt: null });
  if (!('charge' in started)) return started;
  const { charge } = started;
  return submitCharge(context, charge, () =>
    context.service.payAgain({
      customerUid,
      merchantUid,
      name: order.name,
      amount: Number(order.amount),
      currency: order.currency,
      customData: toCustomData(charge.id),
    }),
  );
}
