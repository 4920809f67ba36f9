// Reconciliation: finds the payments whose notification never came, and has `syncPayment` store them. Notifications
// cannot be complete: the legacy service sends once (§6.5), to an address that the buyer's browser can change (§6.3), and
// sends nothing for most failures and for cancellations through the API (§6.1).
//
// Why nothing is missed:
// - `from` and `to` of §4.5 search on a clock that depends on the status (ready: started, paid: paid, cancelled:
//   cancelled, failed: failed), and for `all` the clock is not documented. So each status is listed by itself: whatever
//   becomes `paid` gets its time of payment at that moment, and lies in the window that the next reconciliation of `paid`
//   asks for. A change while we read comes after our beginning: it belongs to the next reconciliation, under the status
//   that the payment has then.
// - Lists are sorted by `updated`, and every change moves a record to the end of its list. What that means for the order
//   in which pages are read is explained in listed-payments.ts.
// - Two changes move no clock of their own status: an account that is issued long after its payment started, and perhaps
//   a second partial cancellation (the document does not say which one `cancelled_at` names). A list may also show a
//   record late. Hence the overlap of an hour, and once a day a look back over 90 days, the longest period.
// - All times are the service's: `now` of a token answer (§2.1), asked at the beginning.
// - The position moves on when a window has been gone through, and only then. A reconciliation can be stopped or killed
//   anywhere: the next one goes through that window again, and finds that what was repaired matches.

import type { ReconciledList } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { ServiceError } from '../../platform/errors';
import { enqueueUnresolvedAttempts, learnPauses } from '../attempts/recover-attempt';
import { readPages } from './listed-payments';
import { acquireReconciliationLock } from './reconciliation-lock';
import { reconciliationCounters } from './reconciliation-report';
import {
  countsJson,
  emptyReport,
  isComplete,
  RECONCILED_LISTS,
  type ReconciliationReport,
} from './reconciliation-report';
import { findFirstOrderTime, findPosition, savePosition, saveRun } from './reconciliation-store';
import { repairEarlier, repairPage, type Tally } from './repair-payments';
import { historyBegin, spanFrom, startingPosition, wholeSecond, type Position, type Span } from './windows';

type ReconciliationRequest = {
  /** Compares this span and leaves the position alone. Without it, reconciliation continues where the last one ended. */
  span?: { from: Date; to: Date | null } | undefined;
  /** Goes back over 90 days, or continues a look back that was interrupted. */
  lookBack?: boolean | undefined;
  /** Compares, and judges what differs as a sync would: the report is that of a real run now, and nothing is written. */
  dryRun?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Called after each page: which list, and how much of it is done, 0 to 1. */
  onProgress?:
    ((progress: { list: ReconciledList; done: number; report: ReconciliationReport }) => void) | undefined;
};

/**
 * Compares the service's lists with what we have stored, and repairs what differs. A list that could not be read to its
 * end says so in the report; the other lists are gone through all the same.
 * @returns null when another reconciliation is under way
 * @throws ServiceError when the service does not even tell the time; DatabaseError
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
  const report = emptyReport(now);
  const shared = { report, previews: request.dryRun ? new Map() : null, signal };
  const { earlier } = report;
  const answered = await repairEarlier(context, { ...shared, list: earlier, name: 'earlier' });
  if (!answered) earlier.stoppedBy = 'no_answer';
  for (const name of RECONCILED_LISTS) {
    const list = report.lists[name];
    // A service that asks for a pause (429) gets one from all lists.
    if (Object.values(report.lists).some(({ stoppedBy }) => stoppedBy === 'rate_limited')) {
      list.stoppedBy = 'rate_limited';
      continue;
    }
    const tally = { ...shared, list, name };
    await reconcileList(context, { name, now, historyBeginsAt, request, tally });
  }
  // One that was told to stop is continued by the next one; a dry run and a span say nothing about the rest.
  if (!request.dryRun && request.span === undefined && !signal.aborted)
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
 * Goes through a span window by window.
 * @param position moves on with every window; null where it is not kept
 * @returns why it stopped before the end; null when it did not
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
 * Billing keys come first: an issuance whose answer was lost is polled for (§4.7), which no list of payments shows.
 * A payment service that does not answer is a log line, and the next run asks it again.
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
