// One attempt to verify what notifications report: it syncs the payment, stores the outcome in their rows, and enqueues
// the next attempt if one is needed. New notifications, their retries and the command `replay` all use it.

import type { NotificationOutcome } from '../../../generated/prisma/client';
import { TEST_BUTTON_ADDRESS } from '../../payment-service/identifiers';
import { OUTAGE_KINDS, ServiceError } from '../../payment-service/records/service-error';
import { isRunning, runTogether } from '../../platform/batch';
import type { Context } from '../../platform/context';
import { comparedText } from '../discrepancies/kinds';
import { recordDiscrepancy } from '../discrepancies/report-discrepancy';
import { fetchPayment, type ReportedIds } from '../payments/fetch-payment';
import { readSnapshot, type Snapshot } from '../payments/payment-store';
import { syncPayment, type SyncResult } from '../payments/sync-payment';
import { saveResult, type AttemptResult, type OpenNotifications } from './inbox-store';
import { mayFetchUnknown, paceFetch } from './pace-fetches';
import { reportsLaterStatus } from './parse-notification';
import { enqueueRetry, nextAttemptAt } from './retry-schedule';
import { isSigned } from './signed-notification';

export type CheckResult = {
  outcome: NotificationOutcome;
  /** Why it is queued; null otherwise. */
  reason: string | null;
  /** Null when nothing is left to check. */
  nextAttemptAt: Date | null;
};

type Check = { open: OpenNotifications; known: Snapshot | undefined };

/**
 * Checks notifications of one payment. Notifications that arrive while this payment is being checked wait and are then
 * checked together, because a fetch that has already begun may miss what they report.
 * @param snapshot what was known when they were stored, just now
 * @throws DatabaseError when the outcome could not be written; the notifications then stay open
 */
export function checkNotifications(
  context: Context,
  open: OpenNotifications,
  snapshot?: Snapshot,
): Promise<CheckResult> {
  const key = paymentKey(open);
  // If a check is under way, this snapshot will be out of date when it ends.
  const known = isRunning(context, checkCopies, key) ? undefined : snapshot;
  return runTogether(context, checkCopies, { open, known }, key);
}

/** Notifications with one key are copies of each other. */
export function paymentKey({
  generation,
  svcUid,
  merchantUid,
}: Pick<OpenNotifications, keyof ReportedIds>): string {
  return `${generation} ${svcUid} ${merchantUid}`;
}

/**
 * Joins copies into one attempt: the newest copy's content, the oldest copy's time of receipt. A copy from the
 * service's test button is used only if there is no other; otherwise a genuine notification would end as a test.
 */
export function joinCopies(copies: readonly OpenNotifications[]): OpenNotifications {
  const [only] = copies;
  if (only && copies.length === 1) return only;
  const sorted = copies.toSorted((one, other) => (firstId(one) < firstId(other) ? -1 : 1));
  const [oldest] = sorted as [OpenNotifications];
  const genuine = sorted.findLast((copy) => copy.sourceAddress !== TEST_BUTTON_ADDRESS || isSigned(copy));
  const newest = genuine ?? sorted.at(-1) ?? oldest;
  return {
    ...newest,
    ids: sorted.flatMap(({ ids }) => ids),
    receivedAt: oldest.receivedAt,
    attempts: Math.max(...sorted.map(({ attempts }) => attempts)),
  };
}

const firstId = ({ ids }: OpenNotifications): bigint => ids[0] ?? 0n;

async function checkCopies(context: Context, copies: readonly Check[]): Promise<CheckResult[]> {
  const open = joinCopies(copies.map((copy) => copy.open));
  const known = copies[0]?.known;
  const { svcUid, merchantUid, generation } = open;
  const reported = { svcUid, merchantUid, generation };
  const pace = (snapshot: Snapshot) => paceFetch(context, reported, snapshot);

  // Fetches the payment, judges it and writes the verdict.
  const synced = (await isTest(context, open, known))
    ? TEST
    : await syncPayment(context, reported, { known, pace });

  // After the verdict. If the process dies before this, the notification is due again, and the next check says `unchanged`.
  const result = toAttemptResult(context, open, synced);
  await saveResult(context, result);

  if (isUnknownForLong(open, result)) await recordDiscrepancy(context, open, STATUS_UNKNOWN);
  if (result.nextAttemptAt) await enqueueRetry(context, result.nextAttemptAt);
  return copies.map(() => result);
}

function toAttemptResult(
  context: Context,
  open: OpenNotifications,
  synced: SyncResult | typeof TEST,
): AttemptResult {
  const { outcome, reason, putOffMs } = synced;
  const wasAsked = putOffMs === null;
  const nextAttemptAt = planRetry(context, open, synced);
  return { ids: open.ids, outcome, reason, nextAttemptAt, wasAsked, now: context.clock.now() };
}

const TEST = { outcome: 'test', reason: null, putOffMs: null, status: null } as const;

const DAY_MS = 24 * 60 * 60 * 1000;
const STATUS_UNKNOWN = {
  kind: 'needs_review',
  expected: comparedText('known_status'),
  actual: comparedText('other_status'),
} as const;

/** We keep retrying an undocumented status. After a day we report it to a person. */
function isUnknownForLong({ receivedAt }: OpenNotifications, { reason, now }: AttemptResult): boolean {
  return reason === 'unknown_status' && now.getTime() - receivedAt.getTime() >= DAY_MS;
}

/**
 * The test button names a payment that does not exist (§6.3). It is not forged and causes no discrepancy. Signed
 * notifications come from the address of the test button, too (reported). One of a registered order is not a test: its
 * payment may be shown a moment later, and a test is not checked again.
 */
async function isTest(
  context: Context,
  open: OpenNotifications,
  known: Snapshot | undefined,
): Promise<boolean> {
  if (open.sourceAddress !== TEST_BUTTON_ADDRESS) return false;
  if (isSigned(open) && (known ?? (await readSnapshot(context, open))).order !== null) return false;
  return mayFetchUnknown(context) && isUnknownAtService(context, open);
}

async function isUnknownAtService(
  context: Context,
  { svcUid, merchantUid, generation }: ReportedIds,
): Promise<boolean> {
  try {
    return (await fetchPayment(context, { svcUid, merchantUid, generation })) === null;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

function planRetry(
  { clock, realClock, service }: Context,
  open: OpenNotifications,
  synced: SyncResult | typeof TEST,
): Date | null {
  const { outcome, reason, status, putOffMs } = synced;
  if (outcome === 'test') return null;
  return nextAttemptAt({
    outcome,
    reason,
    isBehindReport: reportsLaterStatus(open.claimedStatus, status),
    putOffMs,
    isOutage: reason !== null && OUTAGE_KINDS.has(reason) && !service.isAnswering(open.generation),
    spread: Number(firstId(open) % 16n) / 16,
    attempts: open.attempts + 1,
    ageMs: clock.now().getTime() - open.receivedAt.getTime(),
    now: realClock.now(),
  });
}
