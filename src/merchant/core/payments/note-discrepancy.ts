// A new discrepancy of any kind causes one warning and one count: it may be an attack, or need a person. A discrepancy
// that is seen again while it is open, or after a person has decided about it, triggers neither a log line nor a
// metric.

import type { Context } from '../../platform/context';
import type { CounterRows } from '../../platform/metrics';
import { findNewDiscrepancies, openDispute, saveDiscrepancies, type NewNote } from './discrepancy-store';
import type { ReportedIds } from './fetch-payment';
import type { Discrepancy } from './judge-payment';
import { findPayment } from './payment-store';

export const paymentCounters = {
  discrepancies: {
    name: 'merchant_discrepancies_total',
    help: 'New discrepancies, by kind. One that is seen again while it is open is not counted again.',
    labels: ['kind'],
  },
} as const satisfies CounterRows;

/**
 * The discrepancies that were not reported yet. Call it before they are written. If two processes find the same one at
 * the same moment, both report it.
 */
export async function findNews(context: Context, notes: readonly NewNote[]): Promise<NewNote[]> {
  return notes.length === 0 ? [] : findNewDiscrepancies(context, notes);
}

export function reportNews({ logger, metrics }: Context, news: readonly NewNote[]): void {
  for (const { kind, svcUid, merchantUid } of news) {
    metrics.count(paymentCounters.discrepancies, { kind });
    logger.warn({ event: 'discrepancy_noted', kind, svc_uid: svcUid, merchant_uid: merchantUid });
  }
}

/** Stores and reports a discrepancy that was not found by a sync. */
export async function noteDiscrepancy(
  context: Context,
  reported: ReportedIds,
  discrepancy: Discrepancy,
): Promise<void> {
  const { svcUid, merchantUid } = reported;
  await noteAll(context, [{ svcUid, merchantUid, ...discrepancy }]);
}

/** The same for several. @throws DatabaseError; none is then stored */
export async function noteAll(context: Context, notes: readonly NewNote[]): Promise<void> {
  const news = await findNews(context, notes);
  await saveDiscrepancies(context, notes);
  reportNews(context, news);
}

export type DisputeOutcome =
  | { kind: 'entered' | 'already_open'; discrepancyId: bigint }
  | { kind: 'payment_not_found' }
  | { kind: 'amount_exceeds_payment' };

/**
 * A person enters that a payment is disputed: the letter of a PG or a card company about a chargeback is the only sign
 * of it, where the service sends no signed notification. It becomes the same discrepancy as a notified dispute.
 * @param amount what the payer disputes, in the currency of the payment
 */
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
  if (isNew) reportNews(context, [{ svcUid, merchantUid, ...dispute }]);
  return { kind: isNew ? 'entered' : 'already_open', discrepancyId: id };
}
