// A page of a list is compared with our books. What differs goes through `syncPayment`, which alone writes
// payments. What a sync does not repair is remembered, so that not every reconciliation finds it again:
// - What was judged (`unknown_order`, `amount_mismatch`, ...) stays a discrepancy. It is synced again only when the list
//   says something else or its order has changed (another version, or registered at last).
// - What could not be judged (`queued`) is tried again on the schedule of notifications, webhooks/retry-schedule.ts.

import type { Context } from '../../platform/context';
import type { ServiceErrorKind } from '../../platform/errors';
import { fits, previewSync, syncPayment, type SyncResult } from '../payments/sync-payment';
import { nextAttemptAt } from '../webhooks/retry-schedule';
import type { ListedPage } from './listed-payments';
import { reconciliationCounters } from './reconciliation-report';
import {
  countReason,
  countRepaired,
  countToRepair,
  countUnresolved,
  type ListReport,
  type ReconciliationReport,
  type Unresolved,
} from './reconciliation-report';
import {
  deleteDifference,
  findDifferences,
  findDueDifferences,
  saveDifference,
  type Difference,
} from './reconciliation-store';

/** Payments that are synced at the same time: fast, and considerate of a service that others use as well. */
const CONCURRENT_SYNCS = 8;
/** After this many syncs in a row without an answer, the service is left alone until the next reconciliation. */
const GIVE_UP_AFTER = 8;
/** Of a page, how many unreadable records the log names. */
const MOST_LOGGED = 20;

/** Reasons that are about the service as a whole and not about one payment. */
const NO_ANSWER = new Set<string>([
  'unreachable',
  'no_answer',
  'server_error',
  'rate_limited',
  'unauthorized',
] satisfies ServiceErrorKind[]);

/** Where a reconciliation is counted: the whole report, and the list at hand under its name. */
export type Tally = {
  report: ReconciliationReport;
  list: ListReport;
  name: string;
  /** Of a dry run: what a sync of each payment that was met would find, by both ids. Null where payments are synced. */
  previews: Map<string, SyncFound> | null;
  signal: AbortSignal;
};

type SyncFound = Pick<SyncResult, 'outcome' | 'reason'>;

/**
 * Compares one page and syncs what differs.
 * @returns false when the service does not answer: the page has to be gone through again
 * @throws DatabaseError
 */
export async function repairPage(
  context: Context,
  { payments, unreadable }: Pick<ListedPage, 'payments' | 'unreadable'>,
  tally: Tally,
): Promise<boolean> {
  const { list, name } = tally;
  const differences = payments.length > 0 ? await findDifferences(context, payments) : [];
  list.seen += payments.length + unreadable.length;
  list.matched += payments.length - differences.length;
  if (unreadable.length > 0) {
    countReason(list, 'unreadable', unreadable.length);
    const svc_uids = unreadable.slice(0, MOST_LOGGED);
    context.logger.warn({ event: 'reconciliation_unreadable_records', list: name, svc_uids });
  }
  return repairAll(context, differences, tally);
}

/**
 * Syncs differences of earlier reconciliations whose next attempt is due, or whose order has changed.
 * @returns false when the service does not answer
 * @throws DatabaseError
 */
export async function repairEarlier(context: Context, tally: Tally): Promise<boolean> {
  const due = await findDueDifferences(context, context.clock.now());
  tally.list.seen += due.length;
  return repairAll(context, due, tally);
}

async function repairAll(context: Context, differences: Difference[], tally: Tally): Promise<boolean> {
  const { report, list, signal } = tally;
  const toRepair: Difference[] = [];
  for (const difference of differences) {
    const { svcUid, merchantUid, earlier, unchanged } = difference;
    if (earlier && unchanged) {
      const { outcome, reason } = earlier;
      countUnresolved(report, list, { svcUid, merchantUid, outcome, reason });
    } else {
      toRepair.push(difference);
    }
  }

  let unanswered = 0;
  const repairUntilDone = async (): Promise<void> => {
    for (let next = toRepair.shift(); next && !signal.aborted; next = toRepair.shift()) {
      const { previews } = tally;
      const gotAnswer = previews
        ? await previewOne(context, next, tally, previews)
        : await repairOne(context, next, tally);
      unanswered = gotAnswer ? 0 : unanswered + 1;
      if (unanswered >= GIVE_UP_AFTER) return;
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENT_SYNCS }, repairUntilDone));
  } finally {
    toRepair.length = 0; // after one sync has thrown, the others begin no more
  }
  return unanswered < GIVE_UP_AFTER;
}

/** @returns whether the service gave an answer */
async function repairOne(
  context: Context,
  difference: Difference,
  { report, list, name }: Tally,
): Promise<boolean> {
  const { svcUid, merchantUid } = difference;
  const claim = { svcUid, merchantUid };
  const ids = { svc_uid: svcUid, merchant_uid: merchantUid };
  const { outcome, reason } = await syncPayment(context, claim);
  if (!fits(outcome)) {
    await saveFailedRepair(context, difference, { outcome, reason });
    countUnresolved(report, list, { ...claim, outcome, reason });
    context.logger.warn({ event: 'payment_not_repaired', list: name, ...ids, outcome, reason });
    return !isNoAnswer({ outcome, reason });
  }
  await deleteDifference(context, svcUid);
  if (outcome === 'recorded') {
    countRepaired(report, list, claim);
    context.metrics.count(reconciliationCounters.repaired, { list: name });
    context.logger.info({ event: 'payment_repaired', list: name, ...ids });
  } else {
    // Its notification came after the comparison and before the sync.
    list.matched += 1;
  }
  return true;
}

/**
 * What `repairOne` would find and count, and nothing is written. A payment that stands in two lists is repaired by the
 * first: in the second it would match.
 * @returns whether the service gave an answer
 */
async function previewOne(
  context: Context,
  { svcUid, merchantUid }: Difference,
  { report, list }: Tally,
  previews: Map<string, SyncFound>,
): Promise<boolean> {
  const claim = { svcUid, merchantUid };
  const key = `${svcUid} ${merchantUid}`;
  const earlier = previews.get(key);
  const found = earlier ?? (await previewSync(context, claim));
  const { outcome, reason } = found;
  previews.set(key, found);
  if (!fits(outcome)) countUnresolved(report, list, { ...claim, outcome, reason });
  else if (outcome === 'unchanged' || earlier) list.matched += 1;
  else countToRepair(report, list, claim);
  return !isNoAnswer(found);
}

function isNoAnswer({ outcome, reason }: SyncFound): boolean {
  return outcome === 'queued' && reason !== null && NO_ANSWER.has(reason);
}

async function saveFailedRepair(
  context: Context,
  difference: Difference,
  { outcome, reason }: Pick<Unresolved, 'outcome' | 'reason'>,
): Promise<void> {
  const now = context.clock.now();
  const firstSeenAt = difference.earlier?.firstSeenAt ?? now;
  const attempts = (difference.earlier?.attempts ?? 0) + 1;
  const next =
    outcome === 'queued'
      ? nextAttemptAt({
          outcome,
          isBehindClaim: false,
          putOffMs: null,
          attempts,
          receivedAt: firstSeenAt,
          now,
        })
      : null;
  await saveDifference(context, difference, { outcome, reason, attempts, firstSeenAt, nextAttemptAt: next });
}
