// The faults that the tests cover, by the numbers in their titles: "A1 …", "E14, E15: …", "C1 to C4: …", "… (G9, M3)".

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { code, table } from './markdown';
import { UNNUMBERED_FAULTS } from './unnumbered-faults';

const ROOT = join(__dirname, '..', '..');
const FOLDERS = ['test', 'tools/test'];

const GROUPS = {
  A: 'Source address and proxies',
  B: 'The request of a notification',
  C: 'Which payment, for which order, and whether it is true',
  D: 'Duplicates, order, concurrency',
  E: 'The payment service misbehaves',
  F: 'The database misbehaves',
  G: 'The process dies or is stopped',
  H: 'The card form',
  I: 'The browser',
  J: 'Leaks',
  K: 'Abuse',
  L: 'Settings, sandbox, supply',
  M: 'Found by running the program and reading its statements',
  N: 'Found from outside, by trying',
  O: 'Found from outside, by attacking',
} as const;

/** `fault` says what the title does not. */
type Test = { title: string; file: string; fault?: string };

export function faultRows(): string {
  const tests = testFiles().flatMap(testsIn);
  const byId = new Map<string, Test>();
  // A title with one fault describes it better than a title with several.
  const named = tests.map((each) => ({ ...each, ids: idsIn(each.title) }));
  for (const { ids, ...each } of named.sort((one, other) => one.ids.length - other.ids.length))
    for (const id of ids) if (!byId.has(id)) byId.set(id, each);
  for (const [id, [fault, title]] of Object.entries(UNNUMBERED_FAULTS)) {
    const found = tests.find((each) => each.title === title);
    if (!found) throw new Error(`tools/docs/unnumbered-faults.ts: no test is called "${title}"`);
    if (!byId.has(id)) byId.set(id, { ...found, fault });
  }
  return Object.entries(GROUPS)
    .map(([letter, heading]) => `## ${letter}. ${heading}\n\n${groupTable(letter, byId)}`)
    .join('\n\n');
}

function groupTable(letter: string, byId: ReadonlyMap<string, Test>): string {
  const numbers = [...byId.keys()].filter((id) => id.startsWith(letter)).map((id) => Number(id.slice(1)));
  const last = Math.max(...numbers);
  // Faults that one test covers share a row. A fault with words of its own refers to another row for the title.
  const rows: { ids: string[]; title: string; file: string }[] = [];
  for (const id of Array.from({ length: last }, (_, index) => `${letter}${index + 1}`)) {
    const found = byId.get(id);
    if (!found) throw new Error(`No test asserts fault ${id}: number them without gaps`);
    const { fault = '', file } = found;
    const [shown = id] = idsOf(found, byId);
    const does = shown === id ? withoutIds(found.title) : `as ${shown}`;
    const title = fault === '' ? withoutIds(found.title) : `${fault}: ${does}`;
    const same = rows.find((row) => row.title === title && row.file === file);
    if (same) same.ids.push(id);
    else rows.push({ ids: [id], title, file });
  }
  return table(
    ['#', 'Test', 'File'],
    rows.map(({ ids, title, file }) => [
      ids.join(', '),
      escapeMarkup(title),
      code(file.replace(/\.test\.ts$/, '')),
    ]),
  );
}

/** The faults of a test, those without words of their own first. */
function idsOf({ title, file }: Test, byId: ReadonlyMap<string, Test>): string[] {
  const same = [...byId].filter(([, test]) => test.title === title && test.file === file);
  const hasWords = ([, { fault = '' }]: [string, Test]) => Number(fault !== '');
  return same.sort((one, other) => hasWords(one) - hasWords(other)).map(([id]) => id);
}

const ID = /[A-O]\d+/;
const LIST = new RegExp(`${ID.source}(?:(?:, | and | to )${ID.source})*`);
const BEFORE = new RegExp(`^(${LIST.source}):? `);
const AFTER = new RegExp(` ?\\((${LIST.source})\\)`);

function idsIn(title: string): string[] {
  const lists = [BEFORE, AFTER].flatMap((pattern) => pattern.exec(title)?.[1] ?? []);
  return lists.flatMap((list) => {
    const [, letter, from, to] = /^([A-O])(\d+) to [A-O](\d+)$/.exec(list) ?? [];
    if (letter === undefined) return list.match(new RegExp(ID, 'g')) ?? [];
    const length = Number(to) - Number(from) + 1;
    return Array.from({ length }, (_, index) => `${letter}${Number(from) + index}`);
  });
}

const withoutIds = (title: string) => title.replace(BEFORE, '').replace(AFTER, '');

/** Titles are plain text. */
function escapeMarkup(title: string): string {
  return title.replace(/[*_<>`[\]\\$]/g, '\\$&');
}

function testFiles(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .sort()
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
  );
}

/** The first argument of each `test(…)`, `it(…)`, `test.each(…)(…)`, with its placeholders. */
function testsIn(file: string): Test[] {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest);
  const tests: Test[] = [];
  const visit = (node: ts.Node): void => {
    const [title] = ts.isCallExpression(node) && isTest(node.expression) ? node.arguments : [];
    if (title && ts.isStringLiteralLike(title)) tests.push({ title: title.text, file });
    if (title && ts.isTemplateExpression(title))
      tests.push({ title: title.getText(source).slice(1, -1), file });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return tests;
}

/** Skipped tests do not count. `withPlans` and `withCardForm` are tests of a program that has the option. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return /^(test|it|withPlans|withCardForm)$/.test(callee.text);
  if (ts.isPropertyAccessExpression(callee))
    return !['skip', 'todo'].includes(callee.name.text) && isTest(callee.expression);
  if (ts.isCallExpression(callee)) return isTest(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && isTest(callee.tag);
}
