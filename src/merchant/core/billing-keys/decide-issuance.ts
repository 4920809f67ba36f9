// A person resolves an issuance. The decision must not contradict the key's record (§4.7). If this is the latest
// issuance of its key, the record also determines the key's new state. Our choice: §4.2 has no such step.

import type { BillingKeyRecord } from '../../payment-service/billing-keys';
import type { Context } from '../../platform/context';
import {
  findStatusProblem,
  type Contradiction,
  type Decision,
  type DecisionOutcome,
} from '../attempts/decision';
import { activeKey } from './billing-key-store';
import { findIssuance, writeIssuanceDecision, type KeyChange, type StoredIssuance } from './issuance-store';
import { judgeIssuance } from './judge-issuance';
import { findRecord } from './recover-issuance';

type IssuanceDecision = Decision & { outcome: 'issued' | 'not_issued' };

/** @throws ServiceError if the service could not be asked; nothing is then resolved */
export async function decideIssuance(
  context: Context,
  { id, outcome, ...decision }: IssuanceDecision & { id: bigint },
): Promise<DecisionOutcome> {
  const issuance = await findIssuance(context, id);
  const problem = findStatusProblem(issuance, context.clock.now());
  if (!issuance || problem) return problem ?? { kind: 'not_found' };
  const { customerUid } = issuance;
  const record = await findRecord(context, customerUid);
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
    ...decision.sent,
  });
  return { kind: 'settled' };
}

/**
 * `issued`: a key must exist, and not be the one of the previous card. The person may accept another card than was
 * sent. `not_issued`: no key may exist or, for a replacement, it is still the one of the previous card (§1).
 * Returns what the service says; null if it does not contradict.
 */
function findContradiction(
  issuance: StoredIssuance,
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
 * The key becomes what the service shows: active with that card, or failed if there is none. Null, for no change, if
 * the key is being removed, was removed, or has a later issuance.
 */
function keyChange(
  { isLatest, keyStatus }: StoredIssuance,
  record: BillingKeyRecord | null,
): KeyChange | null {
  if (!isLatest || !['pending', 'active', 'needs_review'].includes(keyStatus)) return null;
  return record ? activeKey(record) : { status: 'failed' };
}
