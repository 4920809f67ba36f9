// A person decides about a billing key that nobody asked for (`unknown_billing_key`): it is given to a member, or deleted
// at the service. Each step can be repeated, so a decision that was interrupted is made again.

import { isCustomerUid } from '../../payment-service/identifiers';
import type { Context } from '../../platform/context';
import type { Decision, DecisionOutcome } from '../attempts/decision';
import { adoptKey } from '../billing-keys/adopt-key';
import { findKey, heldKeys } from '../billing-keys/billing-key-store';
import { writeResolution } from '../discrepancies/decide-discrepancy';
import { findDiscrepancy } from '../discrepancies/store';
import { deleteKey } from './remove-card';

export type KeyDecision = Decision & {
  /** The member to whom it is given; null to delete it. */
  memberId: string | null;
};

type KeyDecisionOutcome =
  | DecisionOutcome
  /** The discrepancy names no key. */
  | { kind: 'no_key' }
  /** The key belongs to a member: it is removed as a card. */
  | { kind: 'key_of_member' }
  /** The service did not delete it, or its answer was lost. */
  | { kind: 'not_deleted'; reason: string };

/** @throws ServiceError if the service could not be asked, DatabaseError; the decision is then not written */
export async function decideKey(
  context: Context,
  { id, memberId, ...decision }: KeyDecision & { id: bigint },
): Promise<KeyDecisionOutcome> {
  const discrepancy = await findDiscrepancy(context, id);
  if (!discrepancy) return { kind: 'not_found' };
  if (discrepancy.resolvedAt) return { kind: 'already_settled' };
  const { kind, actual: customerUid, svcUid } = discrepancy;
  if (kind !== 'unknown_billing_key' || !isCustomerUid(customerUid)) return { kind: 'no_key' };
  const failed =
    memberId === null
      ? await deleteUnknown(context, customerUid)
      : await give(context, { customerUid, memberId, issuedBy: svcUid || null });
  if (failed) return failed;
  const resolution = memberId === null ? 'key_deleted' : 'key_given';
  const isResolved = await writeResolution(context, discrepancy, { ...decision, resolution });
  return { kind: isResolved ? 'settled' : 'already_settled' };
}

async function give(
  context: Context,
  key: Parameters<typeof adoptKey>[1],
): Promise<KeyDecisionOutcome | null> {
  switch (await adoptKey(context, key)) {
    case 'adopted':
    case 'known':
      return null;
    case 'of_another_member':
      return { kind: 'key_of_member' };
    case 'missing':
      return {
        kind: 'contradicted',
        says: {
          en: `The payment service holds no billing key ${key.customerUid}.`,
          ko: `결제 서비스에 빌링키 ${key.customerUid}이(가) 없습니다.`,
        },
      };
  }
}

async function deleteUnknown(context: Context, customerUid: string): Promise<KeyDecisionOutcome | null> {
  const stored = await findKey(context, customerUid);
  if (stored !== null && heldKeys.has(stored.status)) return { kind: 'key_of_member' };
  const deletion = await deleteKey(context, customerUid);
  return deletion.kind === 'removed' ? null : { kind: 'not_deleted', reason: deletion.reason };
}
