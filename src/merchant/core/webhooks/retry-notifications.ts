// Retries notifications that could not be checked, or whose payment or order was not found. The legacy service sends
// once and never after a 4xx (§6.5), so the retries are ours. The rows say what is due, jobs only trigger the work, and
// processes share it by claiming rows.

import type { Context } from '../../platform/context';
import { runRound } from '../../platform/run-round';
import { checkNotifications } from './check-notifications';
import { claimDue, claimPaced, findNextDue, type Generation } from './due-notification-store';
import type { OpenNotifications } from './inbox-store';
import { roomForUnknown } from './pace-fetches';
import { enqueueRetry } from './retry-schedule';

/**
 * Concurrent attempts per process and generation: enough that what a burst has put off is checked soon after it
 * (`npm run bench -- intake`), without overloading a service that has just come back.
 */
const AT_ONCE = 64;
/** Delay before the next look at paced notifications, while more are due than the limit allows. */
const PACED_AGAIN_MS = 1_000;

type Kind = 'legacy' | 'newer' | 'paced';
type Claim = (context: Context, places: number) => Promise<OpenNotifications[]>;

const CLAIMS: Record<Kind, Claim> = {
  legacy: (context, places) => claimDue(context, 'legacy', places),
  newer: (context, places) => claimDue(context, 'newer', places),
  paced: claimWhatMayBeFetched,
};

/**
 * Job `retry-due-notifications`: checks what is due until nothing is. Each kind has its own round in each process, so a
 * generation whose host hangs does not block the others.
 * @throws DatabaseError if the due rows could not be read
 */
export async function retryNotifications(context: Context, stopping?: AbortSignal): Promise<void> {
  const kinds = Object.keys(CLAIMS) as Kind[];
  const results = await Promise.allSettled(kinds.map((kind) => runKind(context, kind, stopping)));
  const failed = results.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

async function runKind(context: Context, kind: Kind, stopping?: AbortSignal): Promise<void> {
  const round = {
    atOnce: AT_ONCE,
    gapMs: 0,
    claim: (places: number) => CLAIMS[kind](context, places),
    work: (open: OpenNotifications) => retry(context, open),
  };
  const hasEnded = await runRound(context, `notifications, ${kind}`, round, stopping);
  if (hasEnded && !stopping?.aborted && kind !== 'paced') await wakeForNext(context, kind);
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

/** Claims no more than may be fetched now, so that paced notifications are not claimed and put off again and again. */
async function claimWhatMayBeFetched(context: Context, places: number): Promise<OpenNotifications[]> {
  const room = Math.min(places, roomForUnknown(context));
  const claimed = room === 0 ? [] : await claimPaced(context, room);
  if (room === 0 || claimed.length === room)
    await enqueueRetry(context, new Date(context.realClock.now().getTime() + PACED_AGAIN_MS));
  return claimed;
}

/** Also needed if a job was lost, or ran a moment before its rows were due. */
async function wakeForNext(context: Context, generation: Generation): Promise<void> {
  const due = await findNextDue(context, generation);
  if (due) await enqueueRetry(context, due);
}
