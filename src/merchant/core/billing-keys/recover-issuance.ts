// Resolves an issuance (§4.2) by the record of its key (§4.7). Registration asks once after code 0, and polls
// follow a lost answer. A card is never sent again, because none is stored (§1).

import type { BillingKeyRecord } from '../../payment-service/billing-keys';
import { unreadableRecord } from '../../payment-service/records/shown-record';
import type { Context } from '../../platform/context';
import { isRowId } from '../attempts/attempt-schema';
import type { Recovery } from '../attempts/recover-attempt';
import { reportReview } from '../attempts/report-review';
import {
  findIssuance,
  markDeclined,
  markIssued,
  markNeedsReview,
  type StartedIssuance,
  type StoredIssuance,
} from './issuance-store';
import { judgeIssuance, type IssuanceVerdict } from './judge-issuance';

/** `reason` of an issuance that was answered with code 0 but whose key could not be confirmed. */
export const ISSUED_NOT_SEEN = 'issued_not_seen';

export const issuanceRecovery: Recovery<StoredIssuance> = {
  name: 'issuance',
  isId: isRowId,
  find: (context, id) => findIssuance(context, BigInt(id)),

  async ask(context, issuance) {
    switch (await recordKeyOutcome(context, issuance, wasAnsweredIssued(issuance))) {
      case 'issued':
        return { kind: 'resolved', outcome: 'issued' };
      case 'other_card':
        return { kind: 'resolved', outcome: 'needs_review' };
      case 'missing':
        return { kind: 'not_found' };
    }
  },

  // The service answered code 0 but shows no key.
  findDoubt: (issuance) => (wasAnsweredIssued(issuance) ? ISSUED_NOT_SEEN : null),

  async recordNotFound(context, issuance) {
    await markDeclined(context, issuance, 'not_issued');
    return 'declined';
  },

  leaveToPerson: (context, { id }, reason) => markNeedsReview(context, id, reason),

  logFields: ({ customerUid }) => ({ customer_uid: customerUid }),
};

/**
 * Asks once for the key's record and resolves the issuance by it; `missing` resolves nothing.
 * @param answeredIssued whether the service answered the issuance with code 0
 * @throws ServiceError, DatabaseError
 */
export async function recordKeyOutcome(
  context: Context,
  issuance: StartedIssuance,
  answeredIssued: boolean,
): Promise<IssuanceVerdict> {
  const { id, customerUid } = issuance;
  const record = await findRecord(context, customerUid);
  const verdict = judgeIssuance(issuance, record, answeredIssued);
  if (record && verdict === 'issued') await markIssued(context, id, record);
  if (verdict === 'other_card') {
    await markNeedsReview(context, id, 'other_card');
    reportReview(context, 'issuance', id, 'other_card');
  }
  return verdict;
}

/** The service's record of a key (§4.7); null if it has none. @throws ServiceError */
export async function findRecord(
  { service }: Context,
  customerUid: string,
): Promise<BillingKeyRecord | null> {
  const { list, unreadable } = await service.findBillingKeys([customerUid]);
  const [record] = list;
  const [odd] = unreadable;
  // It may be the record of this key, so the key is not known to be missing.
  if (!record && odd) throw unreadableRecord('GET', '/subscribe/customers', odd);
  return record ?? null;
}

function wasAnsweredIssued({ reason }: StoredIssuance): boolean {
  return reason === ISSUED_NOT_SEEN;
}
