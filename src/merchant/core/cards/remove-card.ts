// Removes a card: takes the key out of use, revokes its schedules, deletes it at the service (§4.9), and then updates
// the row. This order prevents a new card under a key that is being deleted. Once anything was or may have been done at
// the service, the job completes the removal without the member.

import { ServiceError } from '../../payment-service/records/service-error';
import type { Context } from '../../platform/context';
import { DatabaseError, VALUE_REFUSED } from '../../platform/errors';
import { sendOnce } from '../attempts/send-once';
import { findRecord } from '../billing-keys/recover-issuance';
import {
  cancelRemoval,
  findUnfinishedRemovals,
  markRemoved,
  startRemoval,
  type KeyAsRead,
  type UnfinishedRemoval,
} from '../billing-keys/removal-store';
import { revokeAllSchedules } from '../schedules/revoke-schedules';

type RemovalOutcome =
  | { kind: 'removed' }
  /** An issuance for this key is unresolved, or the key has changed since it was read. */
  | { kind: 'in_use' }
  /** Nothing was done at the service; the card is unchanged. */
  | { kind: 'cannot_now'; reason: string }
  /** The key stays out of use and its removal continues, by a later try or another process. */
  | { kind: 'unfinished'; reason: string };
type RemovalTry = Exclude<RemovalOutcome, { kind: 'in_use' }>;

/**
 * Idempotent: a key that is already gone, here or at the service, counts as removed. For a key that is `removing`, this
 * is one more try.
 * @throws DatabaseError; the removal is then retried
 */
export async function removeCard(context: Context, key: KeyAsRead): Promise<RemovalOutcome> {
  const { customerUid, status } = key;
  if (status === 'removed') return { kind: 'removed' };
  const startedAt = await startRemoval(context, key);
  if (!startedAt) return { kind: 'in_use' };
  const outcome = await removeAtService(context, customerUid);
  if (outcome.kind === 'removed') return finishRemoval(context, customerUid);
  if (outcome.kind !== 'cannot_now') return outcome;
  const isAsItWas = status !== 'removing' && (await cancelRemoval(context, key, startedAt));
  return isAsItWas ? outcome : { ...outcome, kind: 'unfinished' };
}

/** The key is gone at the service. If PostgreSQL refuses to store that, the key stays out of use, for a person to see. */
async function finishRemoval(context: Context, customerUid: string): Promise<RemovalTry> {
  try {
    await markRemoved(context, customerUid);
    return { kind: 'removed' };
  } catch (error) {
    if (!(error instanceof DatabaseError && error.refusesValue)) throw error;
    return { kind: 'unfinished', reason: VALUE_REFUSED };
  }
}

/** `unfinished`: something was done, or may have been. */
async function removeAtService(context: Context, customerUid: string): Promise<RemovalTry> {
  const revocation = await revokeAllSchedules(context, customerUid);
  switch (revocation.kind) {
    case 'not_revoked':
      return { kind: 'cannot_now', reason: revocation.reason };
    case 'unknown':
      return { kind: 'unfinished', reason: revocation.reason };
    case 'nothing_scheduled':
      return deleteKey(context, customerUid);
    case 'revoked': {
      const deletion = await deleteKey(context, customerUid);
      return deletion.kind === 'cannot_now' ? { ...deletion, kind: 'unfinished' } : deletion;
    }
  }
}

/** At the service alone. */
export async function deleteKey(context: Context, customerUid: string): Promise<RemovalTry> {
  const sent = await sendOnce(() => context.service.deleteBillingKey(customerUid));
  switch (sent.kind) {
    case 'answered':
      return { kind: 'removed' };
    case 'refused': {
      // The service refuses to delete a missing key with the same code as any other mistake (§7), so we ask whether the
      // key exists.
      const isGone = sent.isNotFound || (await isGoneAtService(context, customerUid));
      return isGone ? { kind: 'removed' } : { kind: 'cannot_now', reason: sent.reason };
    }
    case 'not_executed':
      return { kind: 'cannot_now', reason: sent.reason };
    case 'unknown':
      return { kind: 'unfinished', reason: sent.reason };
  }
}

/** False if the service could not be asked. */
async function isGoneAtService(context: Context, customerUid: string): Promise<boolean> {
  try {
    return (await findRecord(context, customerUid)) === null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return false;
  }
}

/** Maximum duration of one run. The next run is a minute later. */
const RUN_MS = 50_000;
/** A removal that is unfinished for longer than this is logged as a warning at each try. */
const WARN_AFTER_MS = 10 * 60_000;

/**
 * Job `recover-removals`: retries every due removal whose process died or whose answer was lost, until it is finished.
 * All state is in the rows. Several processes may run this job: each try starts with a compare-and-set, so one process
 * tries a key at a time.
 * @param stopping is aborted when this process stops; the rest is due in the next run
 * @throws DatabaseError; the job then runs again
 */
export async function recoverRemovals(context: Context, stopping: AbortSignal): Promise<void> {
  const startedMs = context.clock.monotonicMs();
  for (const removal of await findUnfinishedRemovals(context)) {
    if (stopping.aborted || context.clock.monotonicMs() - startedMs > RUN_MS) return;
    await recoverRemoval(context, removal);
  }
}

async function recoverRemoval(context: Context, removal: UnfinishedRemoval): Promise<void> {
  const { customerUid, removingSince, updatedAt } = removal;
  const since = removingSince ?? updatedAt;
  const outcome = await removeCard(context, removal);
  const line = { customer_uid: customerUid, removing_since: since };
  switch (outcome.kind) {
    case 'removed':
      context.logger.info({ event: 'removal_recovered', ...line });
      return;
    case 'in_use':
      // Another process is trying it now.
      return;
    case 'cannot_now':
    case 'unfinished': {
      const isOld = context.clock.now().getTime() - since.getTime() >= WARN_AFTER_MS;
      context.logger[isOld ? 'warn' : 'info']({
        event: 'removal_unfinished',
        ...line,
        reason: outcome.reason,
      });
    }
  }
}
