// A removal whose process was killed, or whose answer was lost, is finished without the member: revoked, deleted and
// removed, however often it takes. The rows say what is open; nothing else has to survive.

import type { Context } from '../../platform/context';
import { findUnfinishedRemovals, type UnfinishedRemoval } from '../billing-keys/removal-store';
import { removeCard } from './remove-card';

/** How many are tried in one run, and for how long: the next run is a minute later. */
const BATCH = 100;
const RUN_MS = 50_000;
/** A removal that is open for longer is worth a warning at each try. */
const WARN_AFTER_MS = 10 * 60_000;

/**
 * Job `recover-removals`: one more try for every removal that is due. Several processes may run it: each try begins with
 * a compared write, so that a key is tried by one of them.
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
