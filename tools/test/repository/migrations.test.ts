// New migrations only add, because processes of the previous version run beside them (src/EXTENDING.md). A migration that drops or
// renames must say in a comment why no process needs the old object.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '..', '..', '..', 'prisma', 'migrations');
const INITIAL = '20261125000000_initial';

/** Changes that processes of the previous version may not survive. */
const CONTRACTS =
  /\bdrop\s+(?:table|column|type|view|function|schema)\b|\brename\b|\bset\s+not\s+null\b|\balter\s+column\s+\S+\s+(?:set\s+data\s+)?type\b|\btruncate\b/i;
const REASON = /^-- drops: \S+/m;

function findProblem(sql: string): string | null {
  const statements = sql.replace(/--.*$/gm, '');
  const found = CONTRACTS.exec(statements)?.[0];
  return found !== undefined && !REASON.test(sql) ? found : null;
}

test('no migration removes anything that the previous version uses, unless it says why', () => {
  const names = readdirSync(FOLDER).filter((name) => /^\d/.test(name) && name !== INITIAL);
  const problems = names.map((name): [string, string | null] => [
    name,
    findProblem(readFileSync(join(FOLDER, name, 'migration.sql'), 'utf8')),
  ]);
  expect(problems.filter(([, problem]) => problem !== null)).toEqual([]);
});

test.each([
  ['alter table orders drop column name;', 'drop column'],
  ['alter table orders alter column name set not null;', 'set not null'],
  ['-- drops: not written since 0.3.0\nalter table orders drop column name;', null],
  [`alter table orders add column note text not null default '';`, null],
])('%s: %s is detected', (sql, problem) => {
  expect(findProblem(sql)).toBe(problem);
});
