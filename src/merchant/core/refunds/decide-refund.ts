// A person resolves a refund. The decision must not contradict the cancelled amount that the service shows.

import type { Refund } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import type { CheckedDecision } from '../attempts/attempt-kind';
import type { Contradiction } from '../attempts/decision';
import {
  fetchHeldMoney,
  heldContradiction,
  paymentMissing,
  wholeAmount,
  type HeldMoney,
} from '../attempts/held-money';
import { decideRefunded } from '../discrepancies/decide-discrepancy';
import { readCancelledAmount } from './recover-refund';
import { writeRefundDecision } from './refund-store';

type RefundOutcome = 'refunded' | 'not_executed';

/** @throws ServiceError if the service could not be asked */
export async function checkRefundDecision(
  context: Context,
  refund: Refund,
  outcome: RefundOutcome,
): Promise<CheckedDecision> {
  const { id, svcUid, discrepancyId } = refund;
  const shown = await fetchHeldMoney(context, svcUid);
  const contradiction = findContradiction(refund, shown, outcome);
  if (contradiction !== null) return { contradiction };
  // The next refund starts from the stored amount, which must be the one that this decision is based on.
  await readCancelledAmount(context, svcUid);
  const isAllRefunded = outcome === 'refunded' && shown?.held === 0;
  return {
    async write(decision) {
      const isDecided = await writeRefundDecision(context, id, outcome, decision);
      if (isDecided && isAllRefunded && discrepancyId !== null)
        await decideRefunded(context, discrepancyId, decision);
      return isDecided;
    },
  };
}

/**
 * `refunded`: the cancelled amount must be at least the earlier amount plus this refund. `not_executed`: it must not be
 * exactly that sum. If there are other cancellations, only a person can tell which is which.
 * Returns what the service says; null if it does not contradict.
 */
function findContradiction(
  { svcUid, amount, cancelledBefore }: Refund,
  shown: HeldMoney | null,
  outcome: RefundOutcome,
): Contradiction | null {
  if (amount === null) return findContradictionOfAll(svcUid, shown, outcome);
  const cancelled = shown && wholeAmount(shown.record.cancelAmount);
  const expected = cancelledBefore + amount;
  const isContradicted =
    outcome === 'refunded' ? cancelled === null || cancelled < expected : cancelled === expected;
  if (!isContradicted) return null;
  if (cancelled === null) return paymentMissing(svcUid);
  const inKorean = (each: bigint) => each.toLocaleString('ko');
  return {
    en: `The payment service shows ${cancelled} of ${svcUid} as cancelled. Before this refund of ${amount} it was ${cancelledBefore}.`,
    ko: `결제 서비스에서 ${svcUid} 결제의 취소 금액은 ${inKorean(cancelled)}입니다. 이 환불 전에는 ${inKorean(cancelledBefore)}이었고, 환불 금액은 ${inKorean(amount)}입니다.`,
  };
}

/** All was to be refunded, of a payment whose amount could not be read: only what it holds now can contradict. */
function findContradictionOfAll(
  svcUid: string,
  shown: HeldMoney | null,
  outcome: RefundOutcome,
): Contradiction | null {
  const isContradicted = outcome === 'refunded' ? (shown?.held ?? 0) > 0 : shown?.held === 0;
  return isContradicted ? heldContradiction(svcUid, shown) : null;
}
