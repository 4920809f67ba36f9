// Pays a registered order with a stored billing key (§4.9, "again").

import type { Context } from '../../platform/context';
import { findOrder } from '../orders/order-store';
import {
  chargedFields,
  findPaymentFieldProblem,
  type PaymentFieldProblem,
  type PaymentFields,
} from '../orders/payment-fields';
import { toCustomData } from './charge-id';
import {
  findKeyProblem,
  startCharge,
  type KeyProblem,
  type NotJudged,
  type NotStarted,
} from './start-charges';
import { submitCharge, type SubmittedCharge } from './submit-charge';

type ChargeRequest = {
  merchantUid: string;
  customerUid: string;
  /** Per-charge overrides of the order's payment fields. */
  overrides?: PaymentFields;
};

export type ChargeOutcome =
  | SubmittedCharge
  | { kind: NotStarted['kind'] | NotJudged['kind'] | KeyProblem }
  /** The overrides do not fit the amount of the order. */
  | { kind: PaymentFieldProblem };

/**
 * The row is written before the call, which is sent once. After a lost answer it is polled.
 * @throws ServiceError if the service could not be asked for payments of the order, DatabaseError when the charge could
 * not be written; nothing was then sent
 */
export async function chargeOrder(
  context: Context,
  { merchantUid, customerUid, overrides = {} }: ChargeRequest,
): Promise<ChargeOutcome> {
  const order = await findOrder(context, merchantUid);
  if (!order) return { kind: 'order_not_found' };
  const { name, currency } = order;
  const amount = Number(order.amount);
  const fields = chargedFields(order, overrides);
  const problem =
    findPaymentFieldProblem(fields, { amount, currency }) ??
    (await findKeyProblem(context, customerUid, order));
  if (problem) return { kind: problem };
  const started = await startCharge(context, { merchantUid, kind: 'again', customerUid, scheduleAt: null });
  if (!('charge' in started)) return started;
  const { charge } = started;
  return submitCharge(context, charge, () =>
    context.service.payAgain({
      ...fields,
      customerUid,
      merchantUid,
      name,
      amount,
      currency,
      customData: toCustomData(charge.id, fields.customData),
    }),
  );
}
