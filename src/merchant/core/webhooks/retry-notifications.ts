// Retries notifications that could not be checked, or whose payment or order was not found. The legacy service sends
// once and never after a 4xx (§6.5), so the retries are ours. The rows say what is due, jobs only trigger the work, and
// processes share it by claiming rows.

import { Generation } from '../../../generated/prisma/client';
import { stateOf, type Context } from '../../platform/context';
import { drainDueRows } from '../../platform/drain-due-rows';
import { checkNotifications } from './check-notifications';
import { claimDue } from './due-notification-store';
import type { OpenNotifications } from './inbox-store';
import { enqueueRetry, PROBE_GAP_MS } from './retry-schedule';

/**
 * Concurrent attempts per process and generation: enough that what a burst has put off is checked soon after it,
 * without overloading a service that has just come back.
 */
const AT_ONCE = 64;

/**
 * Job `retry-due-notifications`: checks what is due until nothing is. Each generation has its own loop in each process, so
 * one whose host hangs does not hold up the other.
 * @throws DatabaseError if the due rows could not be read
 */
export async function retryNotifications(context: Context, stopping?: AbortSignal): Promise<void> {
  const loops = Object.values(Generation).map((generation) =>
    drainDueRows(context, {
      kind: `notifications, ${generation}`,
      atOnce: AT_ONCE,
      claim: (places) =>
        context.service.isAnswering(generation)
          ? claimDue(context, generation, places)
          : claimProbe(context, generation),
      work: (open: OpenNotifications) => retry(context, open),
      stopping,
    }),
  );
  const failed = (await Promise.allSettled(loops)).find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

/** When one more may be tried of a generation that does not answer. */
const createProbes = () => ({ legacy: 0, newer: 0 });

/** While the service does not answer, one is tried every 15 seconds, and what waits stays due. */
async function claimProbe(context: Context, generation: Generation): Promise<OpenNotifications[]> {
  const probes = stateOf(context, createProbes);
  const nowMs = context.realClock.now().getTime();
  if (nowMs < probes[generation]) {
    await enqueueRetry(context, new Date(probes[generation]));
    return [];
  }
  const claimed = await claimDue(context, generation, 1);
  if (claimed.length > 0) probes[generation] = nowMs + PROBE_GAP_MS;
  return claimed;
}

/** If the outcome cannot be written, the lease of the rows ends and they are due again. */
async function retry(context: Context, open: OpenNotifications): Promise<void> {
  const { logger } = context;
  try {
    const { outcome, reason } = await checkNotifications(context, open);
    logger.info({
      event: 'notification_retried',
      svc_uid: open.svcUid,
      merchant_uid: open.merchantUid,
      // The id of the newest notification.
      request_id: open.requestId,
      outcome,
      reason,
      attempts: open.attempts + 1,
    });
  } catch (error) {
    logger.error({ event: 'retry_not_noted', err: error });
  }
}
