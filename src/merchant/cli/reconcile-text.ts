// The report of a sweep, for people and for programs.

import type { Claim } from '../payments/judge-payment';
import { isComplete, SWEPT_LISTS, type ListReport, type SweepReport } from '../sweep/sweep-report';
import { serviceTime } from './service-time';
import { table, type Paint } from './terminal';

const MOST_SHOWN = 20;

/** What a reason means, and what to do. A reason that is not here is named as it is. */
const REASONS: Record<string, string> = {
  amount_mismatch:
    'paid another amount than its order names: forged, or the order is wrong; see GET /api/discrepancies',
  currency_mismatch: 'paid in another currency than its order names',
  order_mismatch: 'belongs to another order than it was stored under',
  unknown_order: 'no such order is registered: register it (POST /api/orders), the next sweep takes it up',
  unknown_payment: 'is listed, but the service does not know it when asked',
  unreadable: 'the record lacks what we rely on (svc_uid, merchant_uid, status, amount); see the log',
  overtaken: 'its order kept changing while we looked; the next sweep looks again',
};

export function reportText(report: SweepReport, dryRun: boolean, paint: Paint): string {
  const rows = SWEPT_LISTS.map((list) => row(list, report.lists[list], dryRun));
  if (report.earlier.seen > 0) rows.push(row('left over', report.earlier, dryRun));
  const stopped = [
    ...SWEPT_LISTS.map((list) => [list, report.lists[list]] as const),
    ['left over', report.earlier] as const,
  ]
    .filter(([, { stoppedBy }]) => stoppedBy !== null)
    .map(
      ([list, { stoppedBy }]) =>
        `  ${paint(list, 'red')} was not read to its end: ${stoppedBy}. Run it again to go on.\n`,
    );
  const reasons = new Set(report.notRepairable.map(({ outcome, reason }) => reason ?? outcome));
  return [
    `${paint(dryRun ? 'Compared, nothing written' : 'Reconciled', 'bold')}, service time ${serviceTime(report.at)}\n\n`,
    table([['List', 'Seen', 'In step', dryRun ? 'To repair' : 'Repaired', 'Not repairable'], ...rows]),
    report.repaired.length > 0
      ? `\n  A repaired payment is a notification that was lost, or that the service never sends (§6.1).\n`
      : '',
    reasons.size > 0
      ? `\n${[...reasons].map((reason) => `  ${reason}: ${REASONS[reason] ?? 'looked at again by the next sweeps'}\n`).join('')}`
      : '',
    ...report.notRepairable
      .slice(0, MOST_SHOWN)
      .map(
        ({ svcUid, merchantUid, outcome, reason }) => `    ${svcUid}  ${merchantUid}  ${reason ?? outcome}\n`,
      ),
    report.notRepairable.length > MOST_SHOWN ? `    and more; --json names them\n` : '',
    ...(stopped.length > 0 ? ['\n', ...stopped] : []),
  ].join('');
}

function row(name: string, list: ListReport, dryRun: boolean): (string | number)[] {
  const reasons = Object.entries(list.notRepairable).map(([reason, count]) => `${count} ${reason}`);
  return [name, list.seen, list.inStep, dryRun ? list.toRepair : list.repaired, reasons.join(', ') || '-'];
}

/** With the document's names. */
export function reportJson(report: SweepReport, dryRun: boolean): unknown {
  const list = ({ seen, inStep, repaired, toRepair, notRepairable, stoppedBy }: ListReport) => ({
    seen,
    in_step: inStep,
    repaired,
    to_repair: toRepair,
    not_repairable: notRepairable,
    stopped_by: stoppedBy,
  });
  const claim = ({ svcUid, merchantUid }: Claim) => ({ svc_uid: svcUid, merchant_uid: merchantUid });
  return {
    service_time: report.at,
    dry_run: dryRun,
    complete: isComplete(report),
    lists: Object.fromEntries(SWEPT_LISTS.map((name) => [name, list(report.lists[name])])),
    left_over: list(report.earlier),
    repaired: report.repaired.map(claim),
    not_repairable: report.notRepairable.map((each) => ({
      ...claim(each),
      outcome: each.outcome,
      reason: each.reason,
    })),
  };
}
