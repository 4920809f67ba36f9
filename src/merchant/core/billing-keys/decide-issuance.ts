// A person says what became of an issuance. The record of the key (§4.7) must not contradict it, and where this is the
// latest issuance of its key, the record also says what the key is from then on. Our choice: §4.2 knows no such step.

import type { BillingKeyRecord } from '../../payment-service/billing-keys';
import type { Context } from '../../platform/context';
import type { Contradiction } from '../attempts/contradiction';
import { findStatusProblem, type Decision, type DecisionOutcome } from '../attempts/decision';
import {
  findIssuanceToDecide,
  writeIssuanceDecision,
  type IssuanceToDecide,
  type KeyChange,
} from './issuance-store';
import { judgeIssuance } from './judge-issuance';

export type IssuanceDecision = Decision & { outcome: 'issued' | 'not_issued' };

/** @throws ServiceError where the service could not be asked: then nothing is settled */
export async function decideIssuance(
  context: Context,
  { id, outcome, ...decision }: IssuanceDecision & { id: bigint },
): Promise<DecisionOutcome> {
  const issuance = await findIssuanceToDecide(context, id);
  const problem = findStatusProblem(issuance, context.clock.now());
  if (!issuance || problem) return problem ?? { kind: 'not_found' };
  const { customerUid } = issuance;
  const records = await context.service.findBillingKeys([customerUid]);
  const record = records.find((each) => each.customerUid === customerUid) ?? null;
  const says = findContradiction(issuance, record, outcome);
  if (says !== null) return { kind: 'contradicted', says };
  const status = outcome === 'issued' ? 'issued' : 'declined';
  const change = keyChange(issuance, record);
  if (!(await writeIssuanceDecision(context, issuance, status, decision, change)))
    return { kind: 'already_settled' };
  context.logger.info({
    event: 'decision',
    decided: 'issuance',
    id: String(id),
    customer_uid: customerUid,
    outcome,
    by: decision.by,
  });
  return { kind: 'settled' };
}

/**
 * `issued`: a key is there, and it is not still the one of the card before. That it is for another card than was sent is
 * for the person to accept. `not_issued`: no key is there, or, of a replacement, still the one of the card before (§1).
 * Returns what the service says, or null where it does not contradict.
 */
function findContradiction(
  issuance: IssuanceToDecide,
  record: BillingKeyRecord | null,
  outcome: IssuanceDecision['outcome'],
): Contradiction | null {
  const { customerUid } = issuance;
  const isThere = judgeIssuance(issuance, record, outcome === 'issued') !== 'missing';
  if (isThere === (outcome === 'issued')) return null;
  if (!record) return { kind: 'key_missing', customerUid };
  return { kind: isThere ? 'key_there' : 'key_of_before', customerUid, card: record.cardNumber };
}

/**
 * The key is what the service shows: active with that card, or failed where there is none. A key that is being removed,
 * was removed, or was given another issuance since, stays as it is.
 */
function keyChange(
  { isLatest, keyStatus }: IssuanceToDecide,
  record: BillingKeyRecord | null,
): KeyChange | null {
  if (!isLatest || !['pending', 'active', 'needs_review'].includes(keyStatus)) return null;
  return record ? { to: 'active', record } : { to: 'failed' };
}
