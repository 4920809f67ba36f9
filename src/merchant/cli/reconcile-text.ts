// The report of a reconciliation, for people and for programs.

import { DISCREPANCY_KINDS } from '../core/discrepancies/kinds';
import type { ReportedIds } from '../core/payments/fetch-payment';
import {
  countsJson,
  isComplete,
  RECONCILED_LISTS,
  type ListReport,
  type ReconciliationReport,
  type Unresolved,
} from '../core/reconciliation/reconciliation-report';
import { labelled, serviceTime, table, type Terminal } from './terminal';

const MOST_SHOWN = 20;

/** Why a payment could not be verified, if that needs an explanation. */
const QUEUED_REASONS: Record<string, string> = {
  overtaken: 'its order kept changing during the sync; the next reconciliation retries it',
};

/** @param decided how many of the unresolved payments a person has decided about */
export function reportText(
  report: ReconciliationReport,
  decided: number,
  { paint, columns }: Terminal,
): string {
  const { isDryRun, lists, earlier, unresolved, repaired } = report;
  const folded = (text: string) => `${labelled('', text, columns)}\n`;
  const title = isDryRun ? 'Compared, nothing written' : 'Reconciled';
  const paintFirst = (text: string, word: string, colour: 'red' | 'bold' = 'red') =>
    text.replace(word, () => paint(word, colour));
  const rows = RECONCILED_LISTS.map((list) => row(list, lists[list]));
  if (earlier.seen > 0) rows.push(row('earlier', earlier));
  const stopped = [
    ...RECONCILED_LISTS.map((list) => [list, lists[list]] as const),
    ['earlier', earlier] as const,
  ]
    .filter(([, { stoppedBy }]) => stoppedBy !== null)
    .map(([list, { stoppedBy }]) =>
      paintFirst(
        folded(`${list} was not read completely: ${stoppedBy}. Run the command again to continue.`),
        list,
      ),
    );
  const whatRepairedMeans = isDryRun
    ? 'To repair: a real run stores these payments. Their notification was lost, or the service does not send one (§6.1).'
    : 'Repaired: the payment was stored. Its notification was lost, or the service does not send one (§6.1).';
  const meanings = new Map(unresolved.map((each) => [each.reason ?? each.outcome, meaningOf(each)]));
  return [
    paintFirst(`${title}, service time ${serviceTime(report.at)}\n\n`, title, 'bold'),
    table([['List', 'Seen', 'Matched', isDryRun ? 'To repair' : 'Repaired', 'Unresolved'], ...rows]),
    repaired.length > 0 ? `\n${folded(whatRepairedMeans)}` : '',
    ...idLines(isDryRun ? repaired.map((reported) => [reported]) : []),
    meanings.size > 0 ? '\n' : '',
    ...[...meanings].map(([word, means]) => `${labelled(`  ${word}:`, means, columns)}\n`),
    ...idLines(unresolved.map((each) => [each, each.reason ?? each.outcome])),
    decided > 0 ? folded(`A person has decided about ${decided} of these; they need nothing more.`) : '',
    ...(stopped.length > 0 ? ['\n', ...stopped] : []),
  ].join('');
}

/** One line per payment, with the reason, so that its ids can be copied. */
function idLines(payments: [reported: ReportedIds, why?: string][]): string[] {
  return [
    ...payments
      .slice(0, MOST_SHOWN)
      .map(([{ svcUid, merchantUid }, ...why]) => `    ${[svcUid, merchantUid, ...why].join('  ')}\n`),
    ...(payments.length > MOST_SHOWN ? ['    and more; --json names them\n'] : []),
  ];
}

function row(name: string, list: ListReport): (string | number)[] {
  const reasons = Object.entries(list.unresolved).map(([reason, count]) => `${count} ${reason}`);
  return [name, list.seen, list.matched, list.repaired, reasons.join(', ') || '-'];
}

function meaningOf({ outcome, reason }: Unresolved): string {
  if (outcome !== 'queued') return DISCREPANCY_KINDS[outcome].means;
  return QUEUED_REASONS[reason ?? ''] ?? 'the next reconciliations retry it';
}

/** With the document's names. */
export function reportJson(report: ReconciliationReport, decided: number): unknown {
  const { isDryRun } = report;
  const reported = ({ svcUid, merchantUid }: ReportedIds) => ({ svc_uid: svcUid, merchant_uid: merchantUid });
  return {
    service_time: report.at,
    dry_run: isDryRun,
    complete: isComplete(report),
    decided,
    ...countsJson(report),
    repaired: isDryRun ? [] : report.repaired.map(reported),
    to_repair: isDryRun ? report.repaired.map(reported) : [],
    unresolved: report.unresolved.map((each) => ({
      ...reported(each),
      outcome: each.outcome,
      reason: each.reason,
    })),
  };
}
