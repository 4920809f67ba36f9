// A member removes a card: the key is taken out of use, what is scheduled with it is revoked, it is deleted at the
// service (§4.9), then the row says so. In this order no card can be put under a key that is being deleted, and a failure
// in between leaves a card that can be removed again, never a key without a row.

import { endRemoval, startRemoval, type KeyAsRead } from '../billing-keys/billing-key-store';
import type { Context } from '../context';
import { ServiceError } from '../errors';
import { revokeAllSchedules } from '../schedules/revoke-schedules';

export type RemovalOutcome =
  | 'removed'
  /** The outcome of an issuance for this key is open, or the key has changed since it was read. */
  | 'in_use'
  /** The service did not delete the key, or its answer was lost. */
  | 'cannot_now';

/**
 * Idempotent: a key that is gone already, here or at the service, is removed.
 * @throws DatabaseError
 */
export async function removeCard(context: Context, key: KeyAsRead): Promise<RemovalOutcome> {
  const { customerUid, status } = key;
  if (status === 'removed') return 'removed';
  if (!(await startRemoval(context, key))) return 'in_use';
  const isFree = await revokeAllSchedules(context, customerUid);
  switch (isFree ? await deleteKey(context, customerUid) : 'not_deleted') {
    case 'deleted':
      await endRemoval(context, customerUid, 'removed');
      return 'removed';
    case 'not_deleted':
      await endRemoval(context, customerUid, status);
      return 'cannot_now';
    case 'unknown':
      // The key stays out of use until the member asks again.
      return 'cannot_now';
  }
}

async function deleteKey(
  { service }: Context,
  customerUid: string,
): Promise<'deleted' | 'not_deleted' | 'unknown'> {
  try {
    await service.deleteBillingKey(customerUid);
    return 'deleted';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.facts.kind === 'not_found') return 'deleted';
    return error.mayHaveHappened ? 'unknown' : 'not_deleted';
  }
}
