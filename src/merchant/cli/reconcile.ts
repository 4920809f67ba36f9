// `npm run reconcile`: our books against the service's lists, now and to the end (§4.5, §4.7, §4.8).

import { systemClock } from '../clock';
import { createLogger } from '../logger';
import { isComplete, SWEPT_LISTS, type SweepReport } from '../sweep/sweep-report';
import { runCommand, type Command, type CommandResult, type ExitCode } from './command';
import { openMerchant } from './open-merchant';
import { readConfig } from './read-settings';
import { readSpan } from './reconcile-span';
import { reportJson, reportText } from './reconcile-text';
import { createPaint, createProgress } from './terminal';

const HELP = `npm run reconcile [-- --from <time> --to <time> --dry-run --json]

Compares our books with the lists of the payment service, per status and in windows of at most 90 days, and has every
payment that is not in step re-fetched, checked and stored. Without --from it goes back 90 days, or goes on where it
was interrupted. Safe to interrupt at any moment and to run again; beside a sweep of the server it steps aside.

  --from, --to  a day in Korea (2026-11-21), a time (2026-11-21T09:00:00+09:00) or UNIX seconds; --to is now by default
  --dry-run     compares, and writes nothing
  --json        the report as JSON on standard output
  --help        this text

Exit code: 0 both sides are equal; 1 something is not repairable (dry run: differs); 2 wrong arguments or settings;
3 not finished: the service or the database does not answer, or another sweep is under way; 130 interrupted.
`;

const reconcile: Command = {
  help: HELP,
  options: { from: { type: 'string' }, to: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  async run({ values }, signal, quiet) {
    const span = readSpan(values['from'], values['to']);
    const dryRun = values['dry-run'] === true;
    const merchant = openMerchant({
      config: readConfig(),
      clock: systemClock,
      logger: createLogger('silent'),
    });
    const progress = createProgress(process.stderr, quiet);
    try {
      if (!dryRun) await merchant.resolveOpenIssuances();
      const report = await merchant.sweep({
        span,
        lookBack: true,
        dryRun,
        signal,
        onProgress: ({ list, done, report }) => progress.show(list, done, soFar(report)),
      });
      progress.end();
      return report ? toResult(report, dryRun) : STEPPED_ASIDE;
    } finally {
      await merchant.close();
    }
  },
};

const STEPPED_ASIDE: CommandResult = {
  exitCode: 3,
  text: 'Another sweep is under way: it does the same. Run this again when it is through.\n',
  json: { outcome: 'under_way_elsewhere' },
};

function toResult(report: SweepReport, dryRun: boolean): CommandResult {
  return {
    exitCode: exitCodeOf(report),
    text: reportText(report, dryRun, createPaint(process.stdout, process.env)),
    json: reportJson(report, dryRun),
  };
}

function exitCodeOf(report: SweepReport): ExitCode {
  if (!isComplete(report)) return 3;
  const lists = Object.values(report.lists);
  const differs = lists.some((list) => list.toRepair > 0 || Object.keys(list.notRepairable).length > 0);
  return differs ? 1 : 0;
}

function soFar({ lists }: SweepReport): string {
  const sum = (of: 'seen' | 'repaired' | 'toRepair') =>
    SWEPT_LISTS.reduce((total, list) => total + lists[list][of], 0).toLocaleString('en');
  return `${sum('seen')} seen, ${sum('repaired')} repaired`;
}

void runCommand(reconcile);
