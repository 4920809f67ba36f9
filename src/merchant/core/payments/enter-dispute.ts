// A person enters that a payment is disputed: the letter of a PG or a card company about a chargeback is the only sign
// of it, where the service sends no signed notification. It becomes the same discrepancy as a notified dispute.

import type { Context } from '../../platform/context';
import { reportDiscrepancies } from '../discrepancies/report-discrepancy';
import { openDispute } from '../discrepancies/store';
import { findPayment } from './payment-store';

export type DisputeOutcome =
  | { kind: 'entered' | 'already_open'; discrepancyId: bigint }
  | { kind: 'payment_not_found' }
  | { kind: 'amount_exceeds_payment' };

/** @param amount what the payer disputes, in the currency of the payment */
export async function enterDispute(
  context: Context,
  { svcUid, amount }: { svcUid: string; amount: number },
): Promise<DisputeOutcome> {
  const payment = await findPayment(context, svcUid);
  if (!payment) return { kind: 'payment_not_found' };
  if (BigInt(amount) > payment.amount) return { kind: 'amount_exceeds_payment' };
  const { merchantUid, currency } = payment;
  const dispute = {
    kind: 'dispute_opened',
    expected: `${payment.amount} ${currency}`,
    actual: `${amount} ${currency}`,
  } as const;
  const { id, isNew } = await openDispute(context, { svcUid, merchantUid }, dispute);
  if (isNew) reportDiscrepancies(context, [{ svcUid, merchantUid, ...dispute }]);
  return { kind: isNew ? 'entered' : 'already_open', discrepancyId: id };
}
