// Notifications that could not be checked, or whose payment or order was not found, are retried by us: the legacy
// service sends once and never after a 4xx (§6.5). The rows say what is open; a job only says when to check it.

import { z } from 'zod';
import type { Context } from '../context';
import { checkNotifications, enqueueRetry } from './check-notifications';
import { findOpenNotifications, findOverdue } from './inbox-store';

const payloadSchema = z.object({ svcUid: z.string(), merchantUid: z.string() });

/** How many overdue payments are enqueued at a time. */
const OVERDUE_BATCH = 1000;

/** Job `retry-notifications`: one more attempt for one payment. */
export async function retryNotifications(context: Context, payload: unknown): Promise<void> {
  const open = await findOpenNotifications(context, payloadSchema.parse(payload));
  if (!open) return;
  const { outcome, reason } = await checkNotifications(context, open);
  context.logger.info({
    event: 'notification_retried',
    svc_uid: open.svcUid,
    merchant_uid: open.merchantUid,
    // Of the newest notification, which the attempt was for.
    request_id: open.requestId,
    outcome,
    reason,
    attempts: open.attempts + 1,
  });
}

/** Job `recover-stale-notifications`: enqueues what is overdue and has no job, such as after a crash. */
export async function recoverStaleNotifications(context: Context): Promise<void> {
  const now = context.clock.now();
  for (const claim of await findOverdue(context, now, OVERDUE_BATCH)) await enqueueRetry(context, claim, now);
}
