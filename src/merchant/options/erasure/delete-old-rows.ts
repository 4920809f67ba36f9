// Job `delete-old-rows`: once a day, deletes rows older than `KEEP_NOTIFICATIONS_DAYS` that nothing needs, and the rows
// of jobs that will not run again.

import { DAY_MS } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { deleteDeadJobs } from '../../platform/job-store';
import {
  blankDeclinedCards,
  deleteDiscrepancies,
  deleteEvents,
  deleteNotifications,
  deleteOperatorActions,
} from './retention-store';

/** Rows per statement. */
const STEP = 1000;

const STEPS = {
  notifications: deleteNotifications,
  discrepancies: deleteDiscrepancies,
  declined_cards: blankDeclinedCards,
  operator_actions: deleteOperatorActions,
} as const;

/**
 * Deletes in small steps until nothing is left. Several processes may run it: each row is taken by one of them.
 * @param stopping is aborted when this process stops; the next run deletes the rest
 * @throws DatabaseError; the job then runs again
 */
export async function deleteOldRows(context: Context, stopping: AbortSignal): Promise<void> {
  const { clock, config, logger } = context;
  const before = new Date(clock.now().getTime() - config.keepNotificationsDays * DAY_MS);
  const deleted: Record<string, number> = {};
  for (const [name, step] of Object.entries(STEPS)) {
    let count = STEP;
    while (count > 0 && !stopping.aborted) {
      count = await step(context, before, STEP);
      deleted[name] = (deleted[name] ?? 0) + count;
    }
  }
  deleted['events'] = await deleteOldEvents(context, before, stopping);
  deleted['jobs'] = await deleteDeadJobs(context);
  logger.info({ event: 'old_rows_deleted', before, ...deleted });
}

async function deleteOldEvents(context: Context, before: Date, stopping: AbortSignal): Promise<number> {
  let deleted = 0;
  for (let after: bigint | null = 0n; after !== null && !stopping.aborted;) {
    const { count, last } = await deleteEvents(context, before, STEP, after);
    deleted += count;
    after = last;
  }
  return deleted;
}
