// Job `finish-erasures`: an erasure that waits for something, or whose process was killed, is finished without its caller.

import type { Context } from '../../platform/context';
import { continueErasure } from './erase-member';
import { claimErasure } from './erasure-store';

/** The next run is a minute later. */
const RUN_MS = 50_000;
/** One that is open for longer is worth a warning at each try. */
const WARN_AFTER_MS = 24 * 3_600_000;
/** Of what waits, how much a line of the log names. */
const MOST_LOGGED = 20;

/**
 * Several processes may run it: each erasure is claimed by one of them. The log never names the member.
 * @param stopping is aborted when this process stops; what is left is due in the next run
 * @throws DatabaseError; the job then runs again
 */
export async function finishErasures(context: Context, stopping: AbortSignal): Promise<void> {
  const { clock, logger } = context;
  const startedMs = clock.monotonicMs();
  while (!stopping.aborted && clock.monotonicMs() - startedMs < RUN_MS) {
    const erasure = await claimErasure(context);
    if (!erasure) return;
    const waiting = await continueErasure(context, erasure.memberId);
    const line = { erasure: String(erasure.id), requested_at: erasure.requestedAt };
    if (waiting === null) {
      logger.info({ event: 'erasure_finished', ...line, to_check: erasure.toCheck.slice(0, MOST_LOGGED) });
    } else {
      const isOld = clock.now().getTime() - erasure.requestedAt.getTime() >= WARN_AFTER_MS;
      const level = isOld ? 'warn' : 'info';
      logger[level]({ event: 'erasure_unfinished', ...line, waiting: waiting.slice(0, MOST_LOGGED) });
    }
  }
}
