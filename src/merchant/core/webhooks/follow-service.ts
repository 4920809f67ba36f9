// Shares what one process learns about the payment service with the others: that it asked for a pause (429), and that
// it answers again after an outage.

import type { Context } from '../../platform/context';
import type { JobKind } from '../../platform/jobs';
import { savePause } from '../attempts/service-pause-store';

/** The service answers again, so the notifications that wait for it are due. */
export const RESUME_NOTIFICATIONS: JobKind = { name: 'resume-notifications', crontab: null, priority: 2 };

/** Minimum time between two resumes, for an outage that comes and goes. */
const RESUME_GAP_MS = 30_000;

export function followService(context: Context): void {
  const { service, clock, logger } = context;
  const resumeFromMs = { legacy: 0, newer: 0 };
  service.listen({
    onPause(lines, until) {
      logger.warn({ event: 'service_asks_for_pause', lines, until });
      savePause(context, lines, until).catch(notShared);
    },
    onAnswersAgain(generation) {
      logger.info({ event: 'service_answers_again', generation });
      const runAt = new Date(Math.max(clock.now().getTime(), resumeFromMs[generation]));
      resumeFromMs[generation] = runAt.getTime() + RESUME_GAP_MS;
      enqueueResume(context, generation, runAt).catch(notShared);
    },
  });

  /** This process uses what it learned in any case; the others find out for themselves. */
  function notShared(error: unknown): void {
    logger.warn({ event: 'service_state_not_shared', err: error });
  }
}

/** At most one pending job per generation. */
export function enqueueResume({ jobs }: Context, generation: 'legacy' | 'newer', runAt: Date): Promise<void> {
  const key = `resume-notifications:${generation}`;
  return jobs.enqueue(RESUME_NOTIFICATIONS, { generation }, { key, runAt });
}
