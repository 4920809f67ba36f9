// Detects early that the service is back, and then retries the waiting notifications at once. Without this they would
// wait for their next attempt, up to a quarter of an hour (retry-schedule.ts).

import { z } from 'zod';
import { Generation } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { checkNotifications, waitsForService } from './check-notifications';
import { bringForward, claimProbe } from './due-notification-store';
import { enqueueResume } from './follow-service';
import { retryNotifications } from './retry-notifications';

const payloadSchema = z.object({ generation: z.enum(Generation) });

/**
 * Job `probe-service`: if the last query of a generation failed, it tries one notification that waits for it. If the
 * service answers, the others are brought forward.
 */
export async function probeService(context: Context): Promise<void> {
  for (const generation of Object.values(Generation)) {
    if (context.service.isAnswering(generation)) continue;
    const open = await claimProbe(context, generation);
    if (!open) continue;
    const result = await checkNotifications(context, open);
    const { outcome, reason } = result;
    context.logger.info({ event: 'service_probed', generation, outcome, reason });
    if (!waitsForService(result)) await enqueueResume(context, generation, context.clock.now());
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
