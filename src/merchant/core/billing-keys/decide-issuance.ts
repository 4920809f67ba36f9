// A person resolves an issuance. The decision must not contradict the key's record (§4.7). If this is the latest
// issuance of its key, the record also determines the key's new state. Our choice: §4.2 has no such step.

import type { BillingKeyRecord } from '../../payment-service/billing-keys';
import type { Context } from '../../platform/context';
import type { CheckedDecision } from '../attempts/attempt-kind';
import type { Contradiction } from '../attempts/decision';
import { activeKey } from './billing-key-store';
import { writeIssuanceDecision, type KeyChange, type StoredIssuance } from './issuance-store';
import { judgeIssuance } from './judge-issuance';
import { findRecord } from './recover-issuance';

type IssuanceOutcome = 'issued' | 'not_issued';

/** @throws ServiceError if the service could not be asked */
export async function checkIssuanceDecision(
  context: Context,
  issuance: StoredIssuance,
  outcome: IssuanceOutcome,
): Promise<CheckedDecision> {
  const record = await findRecord(context, issuance.customerUid);
  const contradiction = findContradiction(issuance, record, outcome);
  if (contradiction !== null) return { contradiction };
  const status = outcome === 'issued' ? 'issued' : 'declined';
  const change = keyChange(issuance, record);
  return { write: (decision) => writeIssuanceDecision(context, issuance, status, decision, change) };
}

/**
 * `issued`: a key must exist, and not be the one of the previous card. The person may accept another card than was
 * sent. `not_issued`: no key may exist or, for a replacement, it is still the one of the previous card (§1).
 * Returns what the service says; null if it does not contradict.
 */
function findContradiction(
  issuance: StoredIssuance,
  record: BillingKeyRecord | null,
  outcome: IssuanceOutcome,
): Contradiction | null {
  const { customerUid } = issuance;
  const isThere = judgeIssuance(issuance, record, outcome === 'issued') !== 'missing';
  if (isThere === (outcome === 'issued')) return null;
  if (!record)
    return {
      en: `The payment service holds no billing key ${customerUid}.`,
      ko: `결제 서비스에 빌링키 ${customerUid}이(가) 없습니다.`,
    };
  const { cardNumber } = record;
  const card = cardNumber ?? 'a card without a number';
  return isThere
    ? {
        en: `The payment service holds a billing key ${customerUid}, for ${card}.`,
        ko: `결제 서비스에 빌링키 ${customerUid}이(가) 있습니다. 카드 번호: ${cardNumber ?? '없음'}`,
      }
    : {
        en: `The payment service still has the billing key ${customerUid} of the previous card, ${card}.`,
        ko: `결제 서비스의 빌링키 ${customerUid}은(는) 아직 이전 카드(${cardNumber ?? '번호 없음'})의 것입니다.`,
      };
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
