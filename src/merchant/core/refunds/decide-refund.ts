// A person resolves a refund. The decision must not contradict the cancelled amount that the service shows.

import type { Refund } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import {
  findStatusProblem,
  type Contradiction,
  type Decision,
  type DecisionOutcome,
} from '../attempts/decision';
import { fetchHeldMoney, heldContradiction, wholeAmount, type HeldMoney } from '../attempts/held-money';
import { decideRefunded } from '../discrepancies/decide-discrepancy';
import { readCancelledAmount } from './recover-refund';
import { findRefund, writeRefundDecision } from './refund-store';

type RefundDecision = Decision & { outcome: 'refunded' | 'not_executed' };

/** @throws ServiceError if the service could not be asked; nothing is then resolved */
export async function decideRefund(
  context: Context,
  { id, outcome, ...decision }: RefundDecision & { id: bigint },
): Promise<DecisionOutcome> {
  const refund = await findRefund(context, id);
  const problem = findStatusProblem(refund, context.clock.now());
  if (!refund || problem) return problem ?? { kind: 'not_found' };
  const { svcUid, discrepancyId } = refund;
  const shown = await fetchHeldMoney(context, svcUid);
  const says = findContradiction(refund, shown, outcome);
  if (says !== null) return { kind: 'contradicted', says };
  // The next refund starts from the stored amount, which must be the one that this decision is based on.
  await readCancelledAmount(context, svcUid);
  if (!(await writeRefundDecision(context, id, outcome, decision))) return { kind: 'already_settled' };
  context.logger.info({
    event: 'decision',
    decided: 'refund',
    id: String(id),
    svc_uid: svcUid,
    outcome,
    by: decision.by,
    ...decision.sent,
  });
  if (outcome === 'refunded' && discrepancyId !== null && shown?.held === 0)
    await decideRefunded(context, discrepancyId, decision);
  return { kind: 'settled' };
}

/**
 * `refunded`: the cancelled amount must be at least the earlier amount plus this refund. `not_executed`: it must not be
 * exactly that sum. If there are other cancellations, only a person can tell which is which.
 * Returns what the service says; null if it does not contradict.
 */
function findContradiction(
  { svcUid, amount, cancelledBefore }: Refund,
  shown: HeldMoney | null,
  outcome: RefundDecision['outcome'],
): Contradiction | null {
  if (amount === null) return findContradictionOfAll(svcUid, shown, outcome);
  const cancelled = shown && wholeAmount(shown.record.cancelAmount);
  const expected = cancelledBefore + amount;
  const isContradicted =
    outcome === 'refunded' ? cancelled === null || cancelled < expected : cancelled === expected;
  if (!isContradicted) return null;
  if (cancelled === null) return { kind: 'payment_missing', svcUid };
  return { kind: 'cancelled_amount', svcUid, cancelled, cancelledBefore, amount };
}

/** All was to be refunded, of a payment whose amount could not be read: only what it holds now can contradict. */
function findContradictionOfAll(
  svcUid: string,
  shown: HeldMoney | null,
  outcome: RefundDecision['outcome'],
): Contradiction | null {
  const isContradicted = outcome === 'refunded' ? (shown?.held ?? 0) > 0 : shown?.held === 0;
  return isContradicted ? heldContradiction(svcUid, shown) : null;
}
