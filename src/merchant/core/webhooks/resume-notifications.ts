// A service that has come back is noticed soon, and what waits for it does not wait until its own next attempt: the gaps of
// retry-schedule.ts grow to a quarter of an hour. While nothing is answered, one notification in turn is tried early.

import { z } from 'zod';
import { Generation } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { checkNotifications, waitsForService } from './check-notifications';
import { bringForward, claimProbe } from './due-notification-store';
import { enqueueResume } from './follow-service';
import { retryNotifications } from './retry-notifications';

const payloadSchema = z.object({ generation: z.enum(Generation) });

/**
 * Job `probe-service`: where the last query of a generation was not answered, one notification that waits for it is tried.
 * If it is answered, the others are brought forward.
 */
export async function probeService(context: Context): Promise<void> {
  for (const generation of Object.values(Generation)) {
    if (context.service.isAnswering(generation) === true) continue;
    const open = await claimProbe(context, generation);
    if (!open) continue;
    const result = await checkNotifications(context, open);
    const { outcome, reason } = result;
    context.logger.info({ event: 'service_probed', generation, outcome, reason });
    if (!waitsForService(result)) await enqueueResume(context, generation, context.clock.now());
  }
}

/** Job `resume-notifications`: what waits for the service is due now, the oldest first. */
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
