// The report of a reconciliation, for people and for programs.

import type { Claim } from '../payments/claim';
import { DISCREPANCY_KINDS } from '../payments/discrepancy-kinds';
import {
  countsJson,
  isComplete,
  RECONCILED_LISTS,
  type ListReport,
  type ReconciliationReport,
  type Unresolved,
} from '../reconciliation/reconciliation-report';
import { serviceTime, table, type Paint } from './terminal';

const MOST_SHOWN = 20;

/** Why a payment could not be judged, where that needs an explanation. */
const QUEUED_REASONS: Record<string, string> = {
  overtaken: 'its order kept changing during the sync; tried again by the next reconciliation',
};

export function reportText(report: ReconciliationReport, dryRun: boolean, paint: Paint): string {
  const { lists, earlier, unresolved } = report;
  const rows = RECONCILED_LISTS.map((list) => row(list, lists[list], dryRun));
  if (earlier.seen > 0) rows.push(row('earlier', earlier, dryRun));
  const stopped = [
    ...RECONCILED_LISTS.map((list) => [list, lists[list]] as const),
    ['earlier', earlier] as const,
  ]
    .filter(([, { stoppedBy }]) => stoppedBy !== null)
    .map(
      ([list, { stoppedBy }]) =>
        `  ${paint(list, 'red')} was not read to its end: ${stoppedBy}. Run the command again to continue.\n`,
    );
  const meanings = new Map(unresolved.map((each) => [each.reason ?? each.outcome, meaningOf(each)]));
  return [
    `${paint(dryRun ? 'Compared, nothing written' : 'Reconciled', 'bold')}, service time ${serviceTime(report.at)}\n\n`,
    table([['List', 'Seen', 'Matched', dryRun ? 'To repair' : 'Repaired', 'Unresolved'], ...rows]),
    report.repaired.length > 0
      ? `\n  A repaired payment is a notification that was lost, or that the service never sends (§6.1).\n`
      : '',
    meanings.size > 0 ? `\n${[...meanings].map(([word, means]) => `  ${word}: ${means}\n`).join('')}` : '',
    ...unresolved
      .slice(0, MOST_SHOWN)
      .map(
        ({ svcUid, merchantUid, outcome, reason }) => `    ${svcUid}  ${merchantUid}  ${reason ?? outcome}\n`,
      ),
    unresolved.length > MOST_SHOWN ? `    and more; --json names them\n` : '',
    ...(stopped.length > 0 ? ['\n', ...stopped] : []),
  ].join('');
}

function row(name: string, list: ListReport, dryRun: boolean): (string | number)[] {
  const reasons = Object.entries(list.unresolved).map(([reason, count]) => `${count} ${reason}`);
  return [name, list.seen, list.matched, dryRun ? list.toRepair : list.repaired, reasons.join(', ') || '-'];
}

function meaningOf({ outcome, reason }: Unresolved): string {
  if (outcome !== 'queued') return DISCREPANCY_KINDS[outcome].means;
  return QUEUED_REASONS[reason ?? ''] ?? 'tried again by the next reconciliations';
}

/** With the document's names. */
export function reportJson(report: ReconciliationReport, dryRun: boolean): unknown {
  const claim = ({ svcUid, merchantUid }: Claim) => ({ svc_uid: svcUid, merchant_uid: merchantUid });
  return {
    service_time: report.at,
    dry_run: dryRun,
    complete: isComplete(report),
    ...countsJson(report),
    repaired: report.repaired.map(claim),
    unresolved: report.unresolved.map((each) => ({
      ...claim(each),
      outcome: each.outcome,
      reason: each.reason,
    })),
  };
}
