// Reconciliation finds payments whose notification never arrived, and lets `syncPayment` store them. Notifications
// cannot be complete: the legacy service sends once (§6.5), to an address that the buyer's browser can change (§6.3),
// and sends none for most failures and for cancellations through the API (§6.1).
//
// A run can be stopped anywhere, because the position moves only after a window of all lists.
// Each status is listed separately, because for `all` it is not known which time `from` and `to` refer to. Runs overlap by an
// hour, and once a night go back 90 days, for changes that do not change the time of their status.

import { ServiceError } from '../../payment-service/records/service-error';
import type { Context } from '../../platform/context';
import { enqueueUnresolvedAttempts, learnPauses } from '../attempts/recover-attempt';
import { readPages } from './listed-payments';
import { acquireReconciliationLock } from './reconciliation-lock';
import {
  countsJson,
  emptyReport,
  isComplete,
  RECONCILED_LISTS,
  reconciliationCounters,
  type ReconciledList,
  type ReconciliationReport,
} from './reconciliation-report';
import { findFirstOrderTime, findPosition, savePosition, saveRun } from './reconciliation-store';
import { repairEarlier, repairPage, type Tally } from './repair-payments';
import {
  historyBegin,
  spanFrom,
  startingPosition,
  wholeSecond,
  windowsOf,
  type Position,
  type Span,
} from './windows';

type ReconciliationRequest = {
  /** Compares only this span and does not move the position. Absent: continues where the last reconciliation ended. */
  span?: { from: Date; to: Date | null } | undefined;
  /** Compares the last 90 days, or continues an interrupted comparison of them. */
  ninetyDays?: boolean | undefined;
  /**
   * Compares and verifies differences as a sync would. The report is that of a real run now, but nothing is written.
   */
  dryRun?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Called after each list of each window: the list, and how much of all is done, 0 to 1. */
  onProgress?:
    | ((progress: { list: ReconciledList; done: number; report: ReconciliationReport }) => void)
    | undefined;
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
  const report = emptyReport(now, request.dryRun ?? false);
  const run: Run = { request, report, previews: new Map(), signal };
  const { earlier } = report;
  const answered = await repairEarlier(context, { ...run, list: earlier, name: 'earlier' });
  if (!answered) earlier.stoppedBy = 'no_answer';
  const position = startingPosition({
    position: await findPosition(context),
    now,
    historyBeginsAt: historyBegin(await findFirstOrderTime(context), context.clock.now(), now),
    ninetyDays: request.ninetyDays ?? false,
  });
  if (request.span) {
    const { from, to } = request.span;
    await compareSpan(context, { from, to: to ?? now }, run, null);
  } else {
    await compareSpan(context, spanFrom(position, now), run, request.dryRun ? null : position);
  }
  // The next run continues one that was stopped. A dry run or a span says nothing about the rest.
  if (!report.isDryRun && request.span === undefined && !signal.aborted)
    await saveRun(context, { isComplete: isComplete(report) });
  return report;
}

/** What all lists of a run share. */
type Run = Omit<Tally, 'list' | 'name'> & { request: ReconciliationRequest };

/**
 * Compares all lists, window by window. After a problem with one list, the other lists are still read, and the next run
 * compares all of them from here.
 * @param position moves after every window that was compared completely; null to leave it unchanged
 */
async function compareSpan(context: Context, span: Span, run: Run, position: Position | null): Promise<void> {
  const { request, report } = run;
  if (position) await savePosition(context, position);
  const windows = windowsOf(span);
  let steps = 0;
  for (const window of windows) {
    for (const name of RECONCILED_LISTS) {
      const list = report.lists[name];
      list.stoppedBy ??= findStop(run) ?? (await compareList(context, name, window, { ...run, list, name }));
      steps += 1;
      request.onProgress?.({ list: name, done: steps / (windows.length * RECONCILED_LISTS.length), report });
    }
    if (position && isComplete(report)) await savePosition(context, { ...position, comparedTo: window.to });
  }
}

/** Why no list can be read any further; null if they can. If the service asks for a pause (429), it applies to all. */
function findStop({ report, signal }: Run): string | null {
  if (signal.aborted) return 'interrupted';
  const isPaused = Object.values(report.lists).some(({ stoppedBy }) => stoppedBy === 'rate_limited');
  return isPaused ? 'rate_limited' : null;
}

/** @returns why it stopped before the end; null if it did not */
async function compareList(
  context: Context,
  name: ReconciledList,
  window: Span,
  tally: Tally,
): Promise<string | null> {
  try {
    for await (const page of readPages(context, name, window)) {
      const answered = await repairPage(context, page, tally);
      if (tally.signal.aborted) return 'interrupted';
      if (!answered) return 'no_answer';
    }
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.facts.kind;
  }
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
