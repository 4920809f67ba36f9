// Notifications that could not be checked, or whose payment or order was not found, are retried by us: the legacy
// service sends once and never after a 4xx (§6.5). The rows say what is due; jobs only wake, and several processes share
// the work by claiming rows.

import type { Context } from '../../platform/context';
import { runRound } from '../../platform/run-round';
import { checkNotifications } from './check-notifications';
import { claimDue, claimPaced, findNextDue, type Generation } from './due-notification-store';
import type { OpenNotifications } from './inbox-store';
import { roomForUnknown } from './pace-fetches';
import { enqueueRetry } from './wake-retries';

/** Attempts at the same time, for each process and generation: fast, and considerate of a service that has just come back. */
const AT_ONCE = 32;
/** What is paced and due is looked for again after this, while there is more than there is room for. */
const PACED_AGAIN_MS = 1_000;

type Kind = 'legacy' | 'newer' | 'paced';
type Claim = (context: Context, places: number) => Promise<OpenNotifications[]>;

const CLAIMS: Record<Kind, Claim> = {
  legacy: (context, places) => claimDue(context, 'legacy', places),
  newer: (context, places) => claimDue(context, 'newer', places),
  paced: claimWhatMayBeFetched,
};

/**
 * Job `retry-due-notifications`: checks what is due until nothing is. One round of each kind for each process: a
 * generation whose host hangs keeps no other one waiting.
 * @throws DatabaseError where it cannot be found out what is due
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
    claimFrom: AT_ONCE / 2,
    gapMs: 0,
    claim: (places: number) => CLAIMS[kind](context, places),
    work: (open: OpenNotifications) => retry(context, open),
  };
  const hasEnded = await runRound(context, `notifications, ${kind}`, round, stopping);
  if (hasEnded && !stopping?.aborted && kind !== 'paced') await wakeForNext(context, kind);
}

/** Where an outcome cannot be written, the lease of its rows ends and they are due again. */
async function retry(context: Context, open: OpenNotifications): Promise<void> {
  const { logger } = context;
  try {
    const { outcome, reason } = await checkNotifications(context, open);
    logger.info({
      event: 'notification_retried',
      svc_uid: open.svcUid,
      merchant_uid: open.merchantUid,
      // Of the newest notification, which the attempt was for.
      request_id: open.requestId,
      outcome,
      reason,
      attempts: open.attempts + 1,
    });
  } catch (error) {
    logger.error({ event: 'retry_not_noted', err: error });
  }
}

/** No more than may be fetched now, so that what is not does not go round and round. */
async function claimWhatMayBeFetched(context: Context, places: number): Promise<OpenNotifications[]> {
  const room = Math.min(places, roomForUnknown(context));
  const claimed = room === 0 ? [] : await claimPaced(context, room);
  if (room === 0 || claimed.length === room)
    await enqueueRetry(context, new Date(context.clock.now().getTime() + PACED_AGAIN_MS));
  return claimed;
}

/** Also where a job was lost, or came a moment too early for its rows. */
async function wakeForNext(context: Context, generation: Generation): Promise<void> {
  const due = await findNextDue(context, generation);
  if (due) await enqueueRetry(context, due);
}
