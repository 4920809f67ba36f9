// A member removes a card: the key is taken out of use, what is scheduled with it is revoked, it is deleted at the
// service (§4.9), then the row says so. In this order no card can be put under a key that is being deleted. As soon as
// anything was done at the service, or may have been, the removal is carried through by the job, without the member.

import type { Context } from '../../platform/context';
import { ServiceError } from '../../platform/errors';
import { sendOnce } from '../attempts/send-once';
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
  /** The outcome of an issuance for this key is open, or the key has changed since it was read. */
  | { kind: 'in_use' }
  /** Nothing was done at the service: the card is as it was. */
  | { kind: 'cannot_now'; reason: string }
  /** The key stays out of use, and its removal goes on: it is tried again, or somebody else has taken it up. */
  | { kind: 'unfinished'; reason: string };

/**
 * Idempotent: a key that is gone already, here or at the service, is removed. For a key that is `removing` it is one
 * more try.
 * @throws DatabaseError; the removal is then taken up again
 */
export async function removeCard(context: Context, key: KeyAsRead): Promise<RemovalOutcome> {
  const { customerUid, status } = key;
  if (status === 'removed') return { kind: 'removed' };
  const startedAt = await startRemoval(context, key);
  if (!startedAt) return { kind: 'in_use' };
  const result = await removeAtService(context, customerUid);
  if (result.kind === 'deleted') {
    await markRemoved(context, customerUid);
    return { kind: 'removed' };
  }
  if (result.kind === 'unknown' || status === 'removing')
    return { kind: 'unfinished', reason: result.reason };
  const isAsItWas = await cancelRemoval(context, key, startedAt);
  return { kind: isAsItWas ? 'cannot_now' : 'unfinished', reason: result.reason };
}

type Removal =
  | { kind: 'deleted' }
  /** Nothing was done. */
  | { kind: 'not_executed'; reason: string }
  /** Something was done, or may have been. */
  | { kind: 'unknown'; reason: string };

async function removeAtService(context: Context, customerUid: string): Promise<Removal> {
  const revocation = await revokeAllSchedules(context, customerUid);
  switch (revocation.kind) {
    case 'not_revoked':
      return { kind: 'not_executed', reason: revocation.reason };
    case 'unknown':
      return { kind: 'unknown', reason: revocation.reason };
    case 'nothing_scheduled':
      return deleteKey(context, customerUid);
    case 'revoked': {
      const deletion = await deleteKey(context, customerUid);
      return deletion.kind === 'not_executed' ? { ...deletion, kind: 'unknown' } : deletion;
    }
  }
}

async function deleteKey(context: Context, customerUid: string): Promise<Removal> {
  const sent = await sendOnce(() => context.service.deleteBillingKey(customerUid));
  switch (sent.kind) {
    case 'answered':
      return { kind: 'deleted' };
    case 'refused': {
      // A key that is gone is refused like any other mistake (§7): whether it is there is asked for.
      const isGone = sent.isNotFound || (await isGoneAtService(context, customerUid));
      return isGone ? { kind: 'deleted' } : { kind: 'not_executed', reason: sent.reason };
    }
    case 'not_executed':
    case 'unknown':
      return { kind: sent.kind, reason: sent.reason };
  }
}

/** False where it could not be asked. */
async function isGoneAtService({ service }: Context, customerUid: string): Promise<boolean> {
  try {
    return (await service.findBillingKeys([customerUid])).length === 0;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return false;
  }
}

/** How many are tried in one run, and for how long: the next run is a minute later. */
const BATCH = 100;
const RUN_MS = 50_000;
/** A removal that is open for longer is worth a warning at each try. */
const WARN_AFTER_MS = 10 * 60_000;

/**
 * Job `recover-removals`: a removal whose process was killed, or whose answer was lost, is finished without the member,
 * however often it takes. The rows say what is open; nothing else has to survive. One more try for every removal that
 * is due. Several processes may run it: each try begins with a compared write, so that a key is tried by one of them.
 * @param stopping is aborted when this process stops; what is left is due in the next run
 * @throws DatabaseError; the job then runs again
 */
export async function recoverRemovals(context: Context, stopping: AbortSignal): Promise<void> {
  const startedMs = context.clock.monotonicMs();
  for (const removal of await findUnfinishedRemovals(context, BATCH)) {
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
      // Somebody else tries it at this moment.
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
