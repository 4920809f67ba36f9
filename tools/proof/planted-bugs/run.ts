// `npm run proof -- planted-bugs`: removes one safeguard of the merchant at a time, in a copy of this repository, and exits with 1
// if no test fails. `-- <name> …` selects bugs, `-- --list` lists them.

import { startTestCluster } from '../../../test/support/postgres';
import { copyRepository, removeCopy } from '../copy-repository';
import { plantBugs, type Result } from './plant-bug';
import { GUARDS, type PlantedBug } from './planted-bug';
import { PLANTED_BUGS } from './planted-bugs';

async function main(names: readonly string[]): Promise<void> {
  if (names.includes('--list')) return list();
  const unknown = names.filter((name) => !PLANTED_BUGS.some((bug) => bug.name === name));
  if (unknown.length > 0) {
    process.exitCode = 2;
    return say(`No planted bug is called ${unknown.join(', ')}. npm run proof -- planted-bugs --list`);
  }
  const bugs =
    names.length === 0
      ? PLANTED_BUGS
      : names.flatMap((name) => PLANTED_BUGS.filter((bug) => bug.name === name));
  const results = await plantAll(bugs);
  const caught = results.filter(({ kind }) => kind === 'caught').length;
  say(`\n${bugs.length} planted, ${caught} caught, ${bugs.length - caught} not`);
  if (caught < bugs.length) process.exitCode = 1;
}

async function plantAll(bugs: readonly PlantedBug[]): Promise<Result[]> {
  const copy = copyRepository('planted-bugs');
  // One PostgreSQL for all runs of jest, which inherit its address. No bug affects its start.
  const cluster = await startTestCluster();
  process.env['TEST_TEMPLATE_URL'] = cluster.templateUrl;
  try {
    return await plantBugs(copy, bugs, (bug, result, seconds) =>
      say(`${row(bug, result)}  (${seconds.toFixed(1)} s)`),
    );
  } finally {
    await cluster.stop();
    removeCopy(copy);
  }
}

function row({ name, test, title }: PlantedBug, result: Result): string {
  const [mark, detail] = textOf(result, `${test}: ${title}`);
  return `${mark.padEnd(8)}  ${name.padEnd(NAME_WIDTH)}  ${detail}`;
}

function textOf(result: Result, expected: string): [string, string] {
  switch (result.kind) {
    case 'caught':
      return ['caught', expected];
    case 'survived':
      return ['SURVIVED', expected];
    case 'broken':
      return ['BROKEN', `${result.why} (${expected})`];
  }
}

const NAME_WIDTH = Math.max(...PLANTED_BUGS.map(({ name }) => name.length));

function list(): void {
  for (const { name, guard, file } of PLANTED_BUGS)
    say(`${name.padEnd(NAME_WIDTH)}  ${file.padEnd(44)}  ${GUARDS[guard]}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

void main(process.argv.slice(2));
