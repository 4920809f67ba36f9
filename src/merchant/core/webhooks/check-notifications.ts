// One attempt to check what notifications claim: the payment is synced, their rows are settled, and the next attempt is
// enqueued where one is needed. A new notification, its retries and the command `replay` come through here.

import type { NotificationOutcome } from '../../../generated/prisma/client';
import { TEST_BUTTON_ADDRESS } from '../../platform/config';
import type { Context } from '../../platform/context';
import { OUTAGE_KINDS, ServiceError } from '../../platform/errors';
import type { Claim } from '../payments/claim';
import { comparedText } from '../payments/compared-words';
import { fetchPayment } from '../payments/fetch-payment';
import { noteDiscrepancy } from '../payments/note-discrepancy';
import { mayFetchUnknown } from '../payments/pace-fetches';
import { nextAttemptAt } from '../payments/retry-schedule';
import type { Settlement } from '../payments/settlement';
import type { Snapshot } from '../payments/snapshot-store';
import { syncPayment, type SyncResult } from '../payments/sync-payment';
import { settleNotifications, type OpenNotifications } from './inbox-store';
import { claimsLaterStatus } from './parse-notification';
import { enqueueProbe, enqueueRetry } from './wake-retries';

export type CheckResult = {
  outcome: NotificationOutcome;
  /** Why it is queued; null otherwise. */
  reason: string | null;
  /** Null when nothing is left to check. */
  nextAttemptAt: Date | null;
};

/**
 * @param snapshot what was known when they were stored, just now
 * @throws DatabaseError when the outcome could not be written; the notifications then stay open
 */
export async function checkNotifications(
  context: Context,
  open: OpenNotifications,
  snapshot?: Snapshot,
): Promise<CheckResult> {
  const claim = { ...open, isNotified: true };
  const settle = (result: SyncResult | typeof TEST) => toSettlement(open, result, context.clock.now());
  const fromTestButton = open.sourceAddress === TEST_BUTTON_ADDRESS && mayFetchUnknown(context);
  const synced =
    fromTestButton && (await isUnknownAtService(context, claim))
      ? TEST
      : await syncPayment(context, claim, { snapshot, settle });
  // That of a copy, with which the sync was shared, is not ours.
  const isSettled = synced.settlement?.ids === open.ids;
  const settlement = isSettled ? synced.settlement : settle(synced);
  const { outcome, reason, nextAttemptAt: next } = settlement;
  if (isUnknownForLong(open, settlement)) await noteDiscrepancy(context, open, STATUS_UNKNOWN);
  if (!isSettled) await settleNotifications(context, settlement);
  if (next) {
    await enqueueRetry(context, next);
    if (waitsForService(settlement)) await enqueueProbe(context);
  }
  return { outcome, reason, nextAttemptAt: next };
}

function toSettlement(open: OpenNotifications, result: SyncResult | typeof TEST, now: Date): Settlement {
  const { outcome, reason, putOffMs } = result;
  const wasAsked = putOffMs === null;
  return { ids: open.ids, outcome, reason, nextAttemptAt: planRetry(open, result, now), wasAsked, now };
}

const TEST = { outcome: 'test', reason: null, putOffMs: null, status: null, settlement: null } as const;

/** Whether it is queued because the service as a whole does not work. */
export function waitsForService({ outcome, reason }: Pick<CheckResult, 'outcome' | 'reason'>): boolean {
  return outcome === 'queued' && OUTAGE_KINDS.some((kind) => kind === reason);
}

const DAY_MS = 24 * 60 * 60 * 1000;
const STATUS_UNKNOWN = {
  kind: 'needs_review',
  expected: comparedText('known_status'),
  actual: comparedText('other_status'),
} as const;

/** A status that nobody has described is waited for. After a day a person has to know of it. */
function isUnknownForLong({ receivedAt }: OpenNotifications, { reason, now }: Settlement): boolean {
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

function planRetry(open: OpenNotifications, synced: SyncResult | typeof TEST, now: Date): Date | null {
  const { outcome, status, putOffMs } = synced;
  if (outcome === 'test') return null;
  return nextAttemptAt({
    outcome,
    isBehindClaim: claimsLaterStatus(open.claimedStatus, status),
    putOffMs,
    attempts: open.attempts + 1,
    receivedAt: open.receivedAt,
    now,
  });
}
