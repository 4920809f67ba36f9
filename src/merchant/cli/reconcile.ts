// `npm run reconcile`: compares our books with the service's lists now and completely (§4.5, §4.7, §4.8).

import { enqueueUnresolvedAttempts } from '../core/attempts/recover-attempt';
import { reconcile } from '../core/reconciliation/reconcile';
import {
  isComplete,
  RECONCILED_LISTS,
  type ReconciliationReport,
} from '../core/reconciliation/reconciliation-report';
import { countDecided } from '../core/reconciliation/reconciliation-store';
import { beginOfDay, DAY_MS } from '../platform/clock';
import {
  runCommand,
  UsageError,
  type Command,
  type CommandResult,
  type ExitCode,
  type Surroundings,
} from './command';
import { reportJson, reportText } from './reconcile-text';
import { createProgress } from './terminal';
import { withContext } from './with-context';

type Options = { from?: string; to?: string; dryRun?: boolean };

export const command: Command = {
  name: 'npm run reconcile --',
  description: `Compares our books with the lists of the payment service, per status and in
windows of at most 90 days. Every payment that differs is re-fetched, verified,
and stored if it matches. Without --from it begins 90 days ago, or continues
where it was interrupted. It can be interrupted at any moment and run again.
While the server reconciles, this command does nothing.

A time is a day in Korea (2026-11-21), a time (2026-11-21T09:00:00+09:00) or
UNIX seconds.`,
  exitCodes: `0 both sides are equal, or a person has decided about what differs; 1
something is unresolved (dry run: differs); 2 wrong arguments or settings; 3 not
finished: the service or the database does not answer, or another reconciliation
is under way; 130 interrupted.`,
  define: (program, run) =>
    program
      .option('--from <time>', 'from this time on')
      .option('--to <time>', 'up to this time, a day included; now by default')
      .option(
        '--dry-run',
        'shows what a real run would do now: fetches and verifies what differs, and writes nothing',
      )
      .action((options: Options) => run((surroundings) => runReconciliation(options, surroundings))),
};

function runReconciliation(
  { from, to, dryRun = false }: Options,
  { signal, isQuiet, terminal, stderr }: Surroundings,
): Promise<CommandResult> {
  const span = readSpan(from, to);
  return withContext(async (context) => {
    const progress = createProgress(stderr, isQuiet);
    // Billing keys with an unknown issuance (§4.7): a running server polls for them.
    if (!dryRun) await enqueueUnresolvedAttempts(context, ['issuance']);
    const report = await reconcile(context, {
      span,
      ninetyDays: true,
      dryRun,
      signal,
      onProgress: ({ list, done, report }) => progress.show(list, done, soFar(report)),
    });
    progress.end();
    if (!report) return UNDER_WAY_ELSEWHERE;
    // How many of the unresolved payments a person has decided about.
    const decided = await countDecided(context, report.unresolved);
    return {
      exitCode: exitCodeOf(report, decided),
      text: reportText(report, decided, terminal),
      json: reportJson(report, decided),
    };
  });
}

type RequestedSpan = { from: Date; to: Date | null };

/**
 * `--to` with a date only includes that day. Returns undefined if neither option is given.
 * @throws UsageError
 */
export function readSpan(from: string | undefined, to: string | undefined): RequestedSpan | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined) throw new UsageError('--to needs a --from.');
  const span = {
    from: readTime('--from', from, 0),
    to: to === undefined ? null : readTime('--to', to, DAY_MS),
  };
  if (span.to !== null && span.from >= span.to) throw new UsageError('--from has to be before --to.');
  return span;
}

/**
 * A date only is a day in Korea, the time zone of the service (§2.1).
 * @param dayMs is added to a date only
 */
function readTime(name: string, text: string, dayMs: number): Date {
  if (/^\d{9,11}$/.test(text)) return new Date(Number(text) * 1000);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = isDay ? beginOfDay(text).getTime() + dayMs : isTime ? Date.parse(text) : NaN;
  if (Number.isNaN(time))
    throw new UsageError(
      `${name} "${text}" is not a time: write 2026-11-21, 2026-11-21T09:00:00+09:00 or UNIX seconds.`,
    );
  return new Date(time);
}

const UNDER_WAY_ELSEWHERE: CommandResult = {
  exitCode: 3,
  text: 'Another reconciliation is under way and does the same work. Run this again when it has finished.\n',
  json: { outcome: 'under_way_elsewhere' },
};

function exitCodeOf(report: ReconciliationReport, decided: number): ExitCode {
  if (!isComplete(report)) return 3;
  const lists = [...Object.values(report.lists), report.earlier];
  const unresolved = lists
    .flatMap((list) => Object.values(list.unresolved))
    .reduce((one, other) => one + other, 0);
  const isToRepair = report.isDryRun && lists.some(({ repaired }) => repaired > 0);
  return unresolved > decided || isToRepair ? 1 : 0;
}

function soFar({ isDryRun, lists }: ReconciliationReport): string {
  const sum = (count: 'seen' | 'repaired') =>
    RECONCILED_LISTS.reduce((total, list) => total + lists[list][count], 0).toLocaleString('en');
  return `${sum('seen')} seen, ${sum('repaired')} ${isDryRun ? 'to repair' : 'repaired'}`;
}

if (require.main === module) void runCommand(command);
