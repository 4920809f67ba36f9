// The results of one reconciliation, counted by list.

import type { CounterRows } from '../../platform/metrics';
import type { ReportedIds } from '../payments/fetch-payment';
import type { SyncOutcome } from '../payments/sync-payment';

export const reconciliationCounters = {
  runs: {
    name: 'merchant_reconciliations_total',
    help: 'Reconciliations by result: complete, incomplete (a list was not read completely), not_possible.',
    labels: ['result'],
  },
  repaired: {
    name: 'merchant_reconciliation_repaired_total',
    help: 'Payments that reconciliation stored because they had no notification, by list.',
    labels: ['list'],
  },
} as const satisfies CounterRows;

/** The service's lists that are compared: §4.5 per status, and the executed schedules of §4.8. */
export const RECONCILED_LISTS = ['ready', 'paid', 'cancelled', 'failed', 'schedules'] as const;
export type ReconciledList = (typeof RECONCILED_LISTS)[number];

/** A payment that differs from our rows and that a sync did not repair. */
export type Unresolved = ReportedIds & {
  outcome: Exclude<SyncOutcome, 'recorded' | 'unchanged'>;
  /** Why it is queued; null otherwise. */
  reason: string | null;
};

export type ListReport = {
  /** Entries of the list. An entry on the border of two windows counts twice. */
  seen: number;
  /** Entries that equal the stored payment. */
  matched: number;
  /** Stored by this reconciliation: their notification was lost, or the service never sends one (§6.1). */
  repaired: number;
  /** By outcome, or by the reason if another attempt follows. */
  unresolved: Record<string, number>;
  /** Why the list was not read to its end; null if it was. */
  stoppedBy: string | null;
};

export type ReconciliationReport = {
  /** Nothing was written. `repaired` is then what a real run would store. */
  isDryRun: boolean;
  /** The service's time at the start. */
  at: Date;
  lists: Record<ReconciledList, ListReport>;
  /** Payments of orders that were unknown to an earlier reconciliation and have been registered since. */
  earlier: ListReport;
  /** Individual payments, up to a limit that a person can read. */
  repaired: ReportedIds[];
  unresolved: Unresolved[];
};

const MOST_NAMED = 1000;

export function emptyReport(at: Date, isDryRun: boolean): ReconciliationReport {
  const lists = Object.fromEntries(RECONCILED_LISTS.map((list) => [list, emptyList()])) as Record<
    ReconciledList,
    ListReport
  >;
  return { isDryRun, at, lists, earlier: emptyList(), repaired: [], unresolved: [] };
}

export function countRepaired(
  report: ReconciliationReport,
  list: ListReport,
  { svcUid, merchantUid }: ReportedIds,
): void {
  list.repaired += 1;
  if (report.repaired.length < MOST_NAMED) report.repaired.push({ svcUid, merchantUid });
}

export function countUnresolved(
  report: ReconciliationReport,
  list: ListReport,
  unresolved: Unresolved,
): void {
  countReason(list, unresolved.reason ?? unresolved.outcome);
  if (report.unresolved.length < MOST_NAMED) report.unresolved.push(unresolved);
}

export function countReason(list: ListReport, reason: string, times = 1): void {
  list.unresolved[reason] = (list.unresolved[reason] ?? 0) + times;
}

/** Whether every list was read to its end. */
export function isComplete(report: ReconciliationReport): boolean {
  return [...Object.values(report.lists), report.earlier].every(({ stoppedBy }) => stoppedBy === null);
}

/** The counts, under the names of the log and of `reconcile --json`. */
export function countsJson({ isDryRun, lists, earlier }: ReconciliationReport) {
  const listJson = ({ seen, matched, repaired, unresolved, stoppedBy }: ListReport) => ({
    seen,
    matched,
    repaired: isDryRun ? 0 : repaired,
    to_repair: isDryRun ? repaired : 0,
    unresolved,
    stopped_by: stoppedBy,
  });
  return {
    lists: Object.fromEntries(RECONCILED_LISTS.map((name) => [name, listJson(lists[name])])),
    earlier: listJson(earlier),
  };
}

function emptyList(): ListReport {
  return { seen: 0, matched: 0, repaired: 0, unresolved: {}, stoppedBy: null };
}
