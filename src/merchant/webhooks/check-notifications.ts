// One attempt to check what notifications claim: the payment is synced, their rows are settled, and the next attempt is
// enqueued where one is needed. A new notification, its retries and the command `replay` come through here.

import type { NotificationOutcome } from '../../generated/prisma/client';
import { TEST_BUTTON_ADDRESS } from '../config';
import type { Context } from '../context';
import { ServiceError } from '../errors';
import type { Claim } from '../payments/claim';
import { fetchPayment } from '../payments/fetch-payment';
import { noteDiscrepancy } from '../payments/note-discrepancy';
import { nextAttemptAt } from '../payments/retry-schedule';
import { syncPayment, type SyncResult } from '../payments/sync-payment';
import { settleNotifications, type OpenNotifications } from './inbox-store';
import { claimsLaterStatus } from './parse-notification';

export type CheckResult = {
  outcome: NotificationOutcome;
  /** Why it is queued; null otherwise. */
  reason: string | null;
  /** Null when nothing is left to check. */
  nextAttemptAt: Date | null;
};

/** @throws DatabaseError when the outcome could not be written; the notifications then stay open */
export async function checkNotifications(context: Context, open: OpenNotifications): Promise<CheckResult> {
  const { ids, sourceAddress } = open;
  const fromTestButton = sourceAddress === TEST_BUTTON_ADDRESS;
  const result: CheckResult =
    fromTestButton && (await isUnknownAtService(context, open))
      ? { outcome: 'test', reason: null, nextAttemptAt: null }
      : planRetry(open, await syncPayment(context, open), context.clock.now());
  if (isUnknownForLong(open, result, context.clock.now()))
    await noteDiscrepancy(context, open, STATUS_UNKNOWN);
  await settleNotifications(context, { ids, ...result, now: context.clock.now() });
  if (result.nextAttemptAt) await enqueueRetry(context, open, result.nextAttemptAt);
  return result;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const STATUS_UNKNOWN = { kind: 'needs_review', expected: 'a status of §2.4', actual: 'another one' } as const;

/** A status that nobody has described is waited for. After a day a person has to know of it. */
function isUnknownForLong({ receivedAt }: OpenNotifications, { reason }: CheckResult, now: Date): boolean {
  return reason === 'unknown_status' && now.getTime() - receivedAt.getTime() >= DAY_MS;
}

/** The test button names a payment that does not exist (§6.3): that is neither forged nor worth a discrepancy. */
async function isUnknownAtService(context: Context, claim: Claim): Promise<boolean> {
  try {
    return (await fetchPayment(context, claim)) === null;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

function planRetry(open: OpenNotifications, { outcome, reason, status }: SyncResult, now: Date): CheckResult {
  const next = nextAttemptAt({
    outcome,
    isBehindClaim: claimsLaterStatus(open.claimedStatus, status),
    attempts: open.attempts + 1,
    receivedAt: open.receivedAt,
    now,
  });
  return { outcome, reason, nextAttemptAt: next };
}

/** Of several retries for one payment and order, one waits. */
export function enqueueRetry(context: Context, { svcUid, merchantUid }: Claim, runAt: Date): Promise<void> {
  const key = `retry:${svcUid}:${merchantUid}`;
  return context.jobs.enqueue('retry-notifications', { svcUid, merchantUid }, { key, runAt });
}
