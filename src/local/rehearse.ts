// `npm run rehearse`: rehearses going live on this machine, says what doctor finds, and removes everything.

import type { Check } from '../merchant/cli/doctor-checks';
import { labelled, terminalOf, type Terminal } from '../merchant/cli/terminal';
import { fileProblem } from '../merchant/platform/file-problem';
import { runToEnd } from './lifetime';
import type { Diagnosis } from './rehearsal/ask-doctor';
import { rehearse } from './rehearsal/rehearsal';
import { createScreen } from './screen';
import { loadEnvironment } from './settings';

const HELP = `npm run rehearse

Rehearses going live on this machine, in production mode: PostgreSQL with the
role of the server, the sandbox as the service, two merchants, TLS with
certificates of its own, new secrets, doctor -- --live, the first payment and
its refund. The settings of this server in .env are not used. Nothing stays.

Exit code: 0 only steps for a person are left; 1 a check or a step failed;
130 interrupted.
`;

/** Texts that the shop has to write. They do not fail the rehearsal. */
const OF_THE_SHOP: readonly string[] = ['legal pages'];
/** What the rehearsal itself has done. */
const DONE_HERE: readonly string[] = ['test button', 'first payment', 'first refund'];

async function main(given: readonly string[]): Promise<number> {
  if (given.length > 0) {
    process.stdout.write(HELP);
    return given.every((each) => each === '--help') ? 0 : 2;
  }
  const screen = createScreen(process.stdout, process.stderr);
  const lines: string[] = [];
  try {
    const environment = loadEnvironment(process.cwd());
    const result = await runToEnd((add) => rehearse({ step: screen.step, add, environment, lines }));
    screen.release();
    if (result === null) return 130;
    process.stdout.write(reportOf(result, terminalOf(process.stdout, process.env)));
    return problemsOf(result).length > 0 ? 1 : 0;
  } catch (error) {
    screen.release();
    console.error([...lines, fileProblem(error) ?? (error as Error).message].join('\n'));
    return 1;
  }
}

function problemsOf({ items, item }: Diagnosis): string[] {
  const failed = items.filter(({ name, state }) => state === 'failed' && !OF_THE_SHOP.includes(name));
  const undone = DONE_HERE.filter((name) => item(name)?.state !== 'ok');
  return [...new Set([...failed.map(({ name }) => name), ...undone])];
}

/** The last word of doctor: how many checks are right, and what is left. */
function reportOf(diagnosis: Diagnosis, { columns, paint }: Terminal): string {
  const shown = ({ state, name, says }: Check) => {
    const label = OF_THE_SHOP.includes(name) ? 'to write' : state;
    return `${labelled(`  ${label.padEnd(8)}  ${name}: `, says, columns)}\n`;
  };
  const left = diagnosis.items.filter(({ state }) => state !== 'ok' && state !== 'skipped');
  const failed = problemsOf(diagnosis);
  const summary =
    failed.length > 0 ? paint(`Failed: ${failed.join(', ')}.`, 'red') : paint('Nothing failed.', 'green');
  return [
    `\n${diagnosis.in('ok').length} checks are right. What is left:\n`,
    ...left.map(shown),
    `\n${summary} Everything that was started here is stopped and removed.\n`,
  ].join('');
}

void main(process.argv.slice(2)).then((code) => process.exit(code));
