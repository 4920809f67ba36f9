// `npm run planted-bugs`: breaks the merchant on purpose, one guard at a time, in a copy of this repository, and exits with 1
// where no test notices. `-- <name> …` plants those alone, `-- --list` says which there are.

import { join } from 'node:path';
import { copyRepository, findProblem, plantBug, removeCopy, type Result } from './plant-bug';
import { GUARDS, type PlantedBug } from './planted-bug';
import { PLANTED_BUGS } from './planted-bugs';

async function main(): Promise<void> {
  const [...names] = process.argv.slice(2);
  if (names.includes('--list')) return list();
  const unknown = names.filter((name) => !PLANTED_BUGS.some((bug) => bug.name === name));
  if (unknown.length > 0) {
    process.exitCode = 2;
    return say(`No planted bug is called ${unknown.join(', ')}. npm run planted-bugs -- --list`);
  }
  const bugs = names.length === 0 ? PLANTED_BUGS : PLANTED_BUGS.filter(({ name }) => names.includes(name));
  const results = await plantAll(bugs);
  const caught = results.filter(({ kind }) => kind === 'caught').length;
  say(`\n${bugs.length} planted, ${caught} caught, ${bugs.length - caught} not`);
  if (caught < bugs.length) process.exitCode = 1;
}

async function plantAll(bugs: readonly PlantedBug[]): Promise<Result[]> {
  const copy = copyRepository(join(__dirname, '..', '..'));
  const results: Result[] = [];
  try {
    for (const bug of bugs) {
      const startedMs = Date.now();
      const result = await judge(copy, bug);
      results.push(result);
      say(`${row(bug, result)}  ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
    }
  } finally {
    removeCopy(copy);
  }
  return results;
}

/** Without the bug its test has to pass. It is asked afterwards, and only where the answer matters. */
async function judge(copy: string, bug: PlantedBug): Promise<Result> {
  const result = await plantBug(copy, bug);
  if (result.kind === 'broken') return result;
  const why = await findProblem(copy, bug);
  return why === null ? result : { kind: 'broken', why };
}

function row({ name, test, title }: PlantedBug, result: Result): string {
  const [mark, detail] = textOf(result, `${test}: ${title}`);
  return `${mark.padEnd(9)} ${name.padEnd(52)} ${detail}`;
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

function list(): void {
  for (const { name, guard, file } of PLANTED_BUGS)
    say(`${name.padEnd(52)} ${file.padEnd(44)} ${GUARDS[guard]}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

void main();
