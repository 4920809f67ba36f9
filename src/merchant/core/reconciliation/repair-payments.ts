// Compares a page of a list with our rows and syncs the differences. What a sync does not repair is a discrepancy. While
// the facts of that discrepancy are the same, the payment is not synced again. If the payment could not be verified
// (`queued`), it is synced by each run whose span still shows it.

import { OUTAGE_KINDS } from '../../payment-service/records/service-error';
import type { Context } from '../../platform/context';
import { VALUE_REFUSED } from '../../platform/errors';
import { recordUnreadable } from '../discrepancies/unreadable-record';
import type { ReportedIds } from '../payments/fetch-payment';
import { fits, previewSync, syncPayment, type SyncResult } from '../payments/sync-payment';
import type { ListedPage } from './listed-payments';
import {
  countReason,
  countRepaired,
  countUnresolved,
  reconciliationCounters,
  type ListReport,
  type ReconciliationReport,
  type Unresolved,
} from './reconciliation-report';
import { findDifferences, findOfRegisteredOrders, type Difference } from './reconciliation-store';

/** Concurrent syncs: fast, without overloading a service that others use as well. */
const CONCURRENT_SYNCS = 8;
/** After this many syncs in a row without an answer, we stop until the next reconciliation. */
const GIVE_UP_AFTER = 8;
/** Maximum number of unreadable records per page in the log. */
const MOST_LOGGED = 20;

/** Reasons that concern the service as a whole. A bad answer may be about one payment. */
const NO_ANSWER = new Set([...OUTAGE_KINDS].filter((kind) => kind !== 'bad_answer'));

/** The counters of a run: the whole report, and the current list with its name. */
export type Tally = {
  report: ReconciliationReport;
  list: ListReport;
  name: string;
  /** In a dry run: what the next sync of each compared payment would find, by both ids. */
  previews: Map<string, SyncFound>;
  signal: AbortSignal;
};

type SyncFound = Pick<SyncResult, 'outcome' | 'reason'>;

/**
 * Compares one page and syncs the differences.
 * @returns false if the service does not answer; the page must then be compared again
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
    const svc_uids = unreadable.slice(0, MOST_LOGGED).map(({ svcUid }) => svcUid);
    context.logger.warn({ event: 'reconciliation_unreadable_records', list: name, svc_uids });
    if (!tally.report.isDryRun) await recordUnreadable(context, unreadable);
  }
  return repairAll(context, differences, tally);
}

/**
 * Syncs payments whose order was unknown to an earlier reconciliation and has been registered since.
 * @returns false if the service does not answer
 * @throws DatabaseError
 */
export async function repairEarlier(context: Context, tally: Tally): Promise<boolean> {
  const due = await findOfRegisteredOrders(context);
  tally.list.seen += due.length;
  return repairAll(context, due, tally);
}

async function repairAll(context: Context, differences: Difference[], tally: Tally): Promise<boolean> {
  const { report, list, signal } = tally;
  const toRepair: Difference[] = [];
  for (const difference of differences) {
    const { svcUid, merchantUid, known } = difference;
    if (known === null) toRepair.push(difference);
    else countUnresolved(report, list, { svcUid, merchantUid, ...foundBefore(known) });
  }

  let unanswered = 0;
  const repairUntilDone = async (): Promise<void> => {
    for (let next = toRepair.shift(); next && !signal.aborted; next = toRepair.shift()) {
      const gotAnswer = await repairOne(context, next, tally);
      unanswered = gotAnswer ? 0 : unanswered + 1;
      if (unanswered >= GIVE_UP_AFTER) return;
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENT_SYNCS }, repairUntilDone));
  } finally {
    toRepair.length = 0; // after an error, the other workers start no more syncs
  }
  return unanswered < GIVE_UP_AFTER;
}

const foundBefore = (known: NonNullable<Difference['known']>): Pick<Unresolved, 'outcome' | 'reason'> =>
  known === VALUE_REFUSED ? { outcome: 'queued', reason: known } : { outcome: known, reason: null };

/** @returns whether the service answered */
async function repairOne(
  context: Context,
  { svcUid, merchantUid }: Difference,
  { report, list, name, previews }: Tally,
): Promise<boolean> {
  const reported = { svcUid, merchantUid };
  const found = report.isDryRun
    ? await previewOne(context, reported, previews)
    : await syncPayment(context, reported);
  if (!report.isDryRun) reportRepair(context, reported, found, name);
  const { outcome, reason } = found;
  if (!fits(outcome)) countUnresolved(report, list, { ...reported, outcome, reason });
  else if (outcome === 'recorded') countRepaired(report, list, reported);
  // Its notification came after the comparison and before the sync.
  else list.matched += 1;
  return outcome !== 'queued' || reason === null || !NO_ANSWER.has(reason);
}

/** A payment in two lists is repaired by the first, so for the second it is unchanged. */
async function previewOne(
  context: Context,
  reported: ReportedIds,
  previews: Tally['previews'],
): Promise<SyncFound> {
  const key = `${reported.svcUid} ${reported.merchantUid}`;
  const earlier = previews.get(key);
  if (earlier) return earlier;
  const found = await previewSync(context, reported);
  previews.set(key, fits(found.outcome) ? { outcome: 'unchanged', reason: null } : found);
  return found;
}

function reportRepair(
  { logger, metrics }: Context,
  { svcUid, merchantUid }: ReportedIds,
  { outcome, reason }: SyncFound,
  list: string,
): void {
  const ids = { svc_uid: svcUid, merchant_uid: merchantUid };
  if (!fits(outcome)) logger.warn({ event: 'payment_not_repaired', list, ...ids, outcome, reason });
  if (outcome !== 'recorded') return;
  metrics.count(reconciliationCounters.repaired, { list });
  logger.info({ event: 'payment_repaired', list, ...ids });
}
