// Reconciliation finds payments whose notification never arrived, and lets `syncPayment` store them. Notifications
// cannot be complete: the legacy service sends once (§6.5), to an address that the buyer's browser can change (§6.3),
// and sends none for most failures and for cancellations through the API (§6.1).
//
// A run can be stopped anywhere, because the position moves only after a complete window.
// docs/project/decisions/0012-reconciliation-per-status.md explains why each status is listed separately, and why runs
// overlap by an hour and look back 90 days once a day.

import type { ReconciledList } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { ServiceError } from '../../platform/errors';
import { enqueueUnresolvedAttempts, learnPauses } from '../attempts/recover-attempt';
import { readPages } from './listed-payments';
import { acquireReconciliationLock } from './reconciliation-lock';
import {
  countsJson,
  emptyReport,
  isComplete,
  RECONCILED_LISTS,
  reconciliationCounters,
  type ReconciliationReport,
} from './reconciliation-report';
import { findFirstOrderTime, findPosition, savePosition, saveRun } from './reconciliation-store';
import { repairEarlier, repairPage, type Tally } from './repair-payments';
import { historyBegin, spanFrom, startingPosition, wholeSecond, type Position, type Span } from './windows';

type ReconciliationRequest = {
  /** Compares only this span and does not move the position. Absent: continues where the last reconciliation ended. */
  span?: { from: Date; to: Date | null } | undefined;
  /** Compares the last 90 days, or continues an interrupted comparison of them. */
  lookBack?: boolean | undefined;
  /**
   * Compares and verifies differences as a sync would. The report is that of a real run now, but nothing is written.
   */
  dryRun?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Called after each page: the list, and how much of it is done, 0 to 1. */
  onProgress?:
    ((progress: { list: ReconciledList; done: number; report: ReconciliationReport }) => void) | undefined;
};

/**
 * Compares the service's lists with our rows and repairs the differences. If a list could not be read to its end, the
 * report says so and the other lists are still read.
 * @returns null when another reconciliation is under way
 * @throws ServiceError if the service's time could not be read; DatabaseError
 */
export async function reconcile(
  context: Context,
  request: ReconciliationRequest = {},
): Promise<ReconciliationReport | null> {
  const lock = await acquireReconciliationLock(context);
  if (!lock) return null;
  try {
    const signal = AbortSignal.any([lock.lost, ...(request.signal ? [request.signal] : [])]);
    return await reconcileAll(context, request, signal);
  } finally {
    await lock.release();
  }
}

async function reconcileAll(
  context: Context,
  request: ReconciliationRequest,
  signal: AbortSignal,
): Promise<ReconciliationReport> {
  await learnPauses(context);
  const now = wholeSecond(+(await context.service.getServerTime()));
  const historyBeginsAt = historyBegin(await findFirstOrderTime(context), context.clock.now(), now);
  const report = emptyReport(now, request.dryRun ?? false);
  const shared = { report, previews: new Map(), signal };
  const { earlier } = report;
  const answered = await repairEarlier(context, { ...shared, list: earlier, name: 'earlier' });
  if (!answered) earlier.stoppedBy = 'no_answer';
  for (const name of RECONCILED_LISTS) {
    const list = report.lists[name];
    // If the service asks for a pause (429), it applies to all lists.
    if (Object.values(report.lists).some(({ stoppedBy }) => stoppedBy === 'rate_limited')) {
      list.stoppedBy = 'rate_limited';
      continue;
    }
    const tally = { ...shared, list, name };
    await reconcileList(context, { name, now, historyBeginsAt, request, tally });
  }
  // The next run continues one that was stopped. A dry run or a span says nothing about the rest.
  if (!report.isDryRun && request.span === undefined && !signal.aborted)
    await saveRun(context, { isComplete: isComplete(report) });
  return report;
}

type ListTask = {
  name: ReconciledList;
  now: Date;
  historyBeginsAt: Date;
  request: ReconciliationRequest;
  tally: Tally;
};

async function reconcileList(context: Context, task: ListTask): Promise<void> {
  const { name, now, historyBeginsAt, request, tally } = task;
  const position = startingPosition({
    position: await findPosition(context, name),
    now,
    historyBeginsAt,
    lookBack: request.lookBack ?? false,
  });
  const keepsPosition = request.span === undefined && !request.dryRun;
  if (keepsPosition) await savePosition(context, name, position);
  const span = request.span
    ? { from: request.span.from, to: request.span.to ?? now }
    : spanFrom(position, now);
  try {
    tally.list.stoppedBy = await compareSpan(context, task, span, keepsPosition ? position : null);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    tally.list.stoppedBy = error.facts.kind;
  }
}

/**
 * Compares a span window by window.
 * @param position moves after every window; null to leave it unchanged
 * @returns why it stopped before the end; null if it did not
 */
async function compareSpan(
  context: Context,
  { name, request, tally }: ListTask,
  span: Span,
  position: Position | null,
): Promise<'interrupted' | 'no_answer' | null> {
  if (tally.signal.aborted) return 'interrupted';
  for await (const page of readPages(context, name, span)) {
    const answered = await repairPage(context, page, tally);
    if (tally.signal.aborted) return 'interrupted';
    if (!answered) return 'no_answer';
    const { window, part } = page;
    const reached = +window.from + (+window.to - +window.from) * part;
    const done = (reached - +span.from) / (+span.to - +span.from);
    request.onProgress?.({ list: name, done, report: tally.report });
    if (part === 1 && position) await savePosition(context, name, { ...position, comparedTo: window.to });
  }
  return null;
}

/**
 * Issuances come first: a lost issuance is polled (§4.7), because no list of payments shows it. If the payment service
 * does not answer, this is logged and the next run asks again.
 * @param stopping is aborted when this process stops; the next run continues from there
 * @throws DatabaseError; the job then runs again
 */
export async function reconcileAsJob(context: Context, stopping: AbortSignal): Promise<void> {
  const { metrics, logger } = context;
  try {
    await enqueueUnresolvedAttempts(context, ['issuance']);
    const report = await reconcile(context, { signal: stopping });
    if (report === null) {
      logger.info({ event: 'reconciliation_under_way_elsewhere' });
      return;
    }
    const complete = isComplete(report);
    metrics.count(reconciliationCounters.runs, { result: complete ? 'complete' : 'incomplete' });
    logger.info({ event: 'reconciliation', complete, ...countsJson(report) });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    metrics.count(reconciliationCounters.runs, { result: 'not_possible' });
    logger.warn({ event: 'reconciliation_not_possible', err: error });
  }
}
