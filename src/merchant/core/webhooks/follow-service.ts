// Shares what one process learns about the payment service with the others: that it asked for a pause (429), and that
// it answers again after an outage. Notifications that wait for it are then checked at once; without this they would
// wait for their next attempt, up to a quarter of an hour (retry-schedule.ts).

import { z } from 'zod';
import { Generation } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import type { JobKind } from '../../platform/jobs';
import { savePause } from '../attempts/service-pause-store';
import { checkNotifications, waitsForService } from './check-notifications';
import { bringForward, claimProbe } from './due-notification-store';
import { retryNotifications } from './retry-notifications';

/** The service answers again, so the notifications that wait for it are due. */
export const RESUME_NOTIFICATIONS: JobKind = { name: 'resume-notifications', crontab: null, priority: 2 };

/** Minimum time between two resumes, for an outage that comes and goes. */
const RESUME_GAP_MS = 30_000;

export function followService(context: Context): void {
  const { service, realClock, logger } = context;
  const resumeFromMs = { legacy: 0, newer: 0 };
  service.listen({
    onPause(lines, until) {
      logger.warn({ event: 'service_asks_for_pause', lines, until });
      savePause(context, lines, until).catch(notShared);
    },
    onAnswersAgain(generation) {
      logger.info({ event: 'service_answers_again', generation });
      const runAt = new Date(Math.max(realClock.now().getTime(), resumeFromMs[generation]));
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
function enqueueResume({ jobs }: Context, generation: 'legacy' | 'newer', runAt: Date): Promise<void> {
  const key = `resume-notifications:${generation}`;
  return jobs.enqueue(RESUME_NOTIFICATIONS, { generation }, { key, runAt });
}

const payloadSchema = z.object({ generation: z.enum(Generation) });

/**
 * Job `probe-service`, after a failed query: if the last query of a generation failed, it tries one notification that
 * waits for it. If the service answers, the others are brought forward. Another query may have been answered meanwhile,
 * here after fewer failures than an outage has, or in another process: nothing else brings them forward then.
 */
export async function probeService(context: Context): Promise<void> {
  for (const generation of Object.values(Generation)) {
    if (context.service.isAnswering(generation)) {
      await enqueueResume(context, generation, context.realClock.now());
      continue;
    }
    const open = await claimProbe(context, generation);
    if (!open) continue;
    const result = await checkNotifications(context, open);
    const { outcome, reason } = result;
    context.logger.info({ event: 'service_probed', generation, outcome, reason });
    if (!waitsForService(result)) await enqueueResume(context, generation, context.realClock.now());
  }
}

/** Job `resume-notifications`: makes the notifications that wait for the service due now, the oldest first. */
export async function resumeNotifications(
  context: Context,
  stopping: AbortSignal,
  payload: unknown,
): Promise<void> {
  const { generation } = payloadSchema.parse(payload);
  let count = 0;
  for (let some = 1; some > 0 && !stopping.aborted; count += some)
    some = await bringForward(context, generation);
  context.logger.info({ event: 'notifications_resumed', generation, count });
  await retryNotifications(context, stopping);
}
