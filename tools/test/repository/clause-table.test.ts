// The clause table of src/sandbox/README.md names tests that exist, by their path from test/sandbox.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const readme = readFileSync(join(__dirname, '../../../src/sandbox/README.md'), 'utf8');
const clauses = readme
  .slice(readme.indexOf('## Clauses'))
  .split('\n')
  .filter((line) => /^\| +[\d–]/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, section = '', clause = '', whose = '', test = '']) => ({ section, clause, whose, test }));

/** A row can have the test of the previous one. */
const testOf = (at: number): string => {
  const { test = '' } = clauses[at] ?? {};
  return test === 'the same' && at > 0 ? testOf(at - 1) : test;
};

test('has a test for every clause, and every test exists under that name', () => {
  const missing = clauses.filter((_, at) => {
    const [file, ...title] = testOf(at).split(': ');
    const source = readFileSync(
      join(__dirname, '..', '..', '..', 'test', 'sandbox', `${file}.test.ts`),
      'utf8',
    );
    return !source.includes(title.join(': '));
  });
  expect(missing).toEqual([]);
});

test('has the right number of clauses of each origin', () => {
  const count = (of: string) => clauses.filter(({ whose }) => whose === of).length;
  expect(readme).toContain(
    `${clauses.length} clauses, ${clauses.length} tested: ${count('word')} are the document's word, ` +
      `${count('reference')} come from the public reference, ${count('choice')} are our choice.`,
  );
  expect(count('word') + count('reference') + count('choice')).toBe(clauses.length);
});
