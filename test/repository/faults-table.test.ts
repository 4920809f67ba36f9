// docs/faults.md numbers its rows without gaps, counts them rightly, and names only tests that exist under that title.
// Tests may move from file to file: a title is looked for in all of them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const TESTS = join(__dirname, '..');
const page = readFileSync(join(TESTS, '..', 'docs', 'faults.md'), 'utf8');

type Kind = 'tested' | 'in part' | 'not tested' | 'not guarded yet' | 'does not apply';
type Row = { id: string; fault: string; expected: string; shownBy: string };

test('every letter from A to N has a chapter, and its rows are numbered without gaps from 1', () => {
  const chapters = page.split(/^## /m).slice(1);
  expect(chapters.map((chapter) => chapter.slice(0, 2))).toEqual(
    [...'ABCDEFGHIJKLMN'].map((each) => `${each}.`),
  );
  for (const chapter of chapters) {
    const ids = rowsOf(chapter).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).toEqual(ids.map((_, index) => `${chapter[0]}${index + 1}`));
  }
});

test('every row says what goes wrong, what must happen, and in one of the five forms what shows it', () => {
  const incomplete = rowsOf(page).filter(({ fault, expected }) => fault === '' || expected === '');
  expect(incomplete).toEqual([]);
  expect(rowsOf(page).filter((row) => read(row.shownBy) === null)).toEqual([]);
});

test('every test that is named exists under that title', () => {
  const titles = new Set(testFiles().flatMap(titlesIn));
  expect(titles.size).toBeGreaterThan(500);
  const missing = rowsOf(page).flatMap(({ id, shownBy }) =>
    (read(shownBy)?.titles ?? []).filter((title) => !titles.has(title)).map((title) => `${id}: ${title}`),
  );
  expect(missing).toEqual([]);
});

test('the counts at the top are right', () => {
  const kinds = rowsOf(page).map(({ shownBy }) => read(shownBy)?.kind);
  const count = (of: Kind) => kinds.filter((kind) => kind === of).length;
  expect(page).toContain(
    `${kinds.length} rows: ${count('tested')} tested, ${count('in part')} in part, ${count('not tested')} not tested, ` +
      `${count('not guarded yet')} not guarded yet, ${count('does not apply')} do not apply.`,
  );
});

/** The lines of the tables that begin with a number such as A1. */
function rowsOf(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => /^\| *[A-Z]\d+ *\|/.test(line))
    .map((line) => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => withoutEscapes(cell.trim()));
      if (cells.length !== 6) throw new Error(`Not four cells: ${line}`);
      const [, id = '', fault = '', expected = '', shownBy = ''] = cells;
      return { id, fault, expected, shownBy };
    });
}

/** What a cell of the last column says; null where it has none of the five forms. */
function read(shownBy: string): { kind: Kind; titles: string[] } | null {
  const without = /^(not tested|not guarded yet|does not apply): ./.exec(shownBy);
  if (without) return { kind: without[1] as Kind, titles: [] };
  const [, tests, missing] = /^in part: (.+); missing: (.+)$/.exec(shownBy) ?? [];
  if (tests !== undefined && missing !== undefined) return { kind: 'in part', titles: titlesOf(tests) };
  const titles = titlesOf(shownBy);
  if (/^(in part|not tested|not guarded|does not apply)/.test(shownBy) || titles.includes('')) return null;
  return { kind: 'tested', titles };
}

const titlesOf = (cell: string) => cell.split('<br>').map((title) => title.trim());

/** Prettier puts a backslash before what Markdown would take for markup. */
function withoutEscapes(cell: string): string {
  return cell.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

function testFiles(): string[] {
  return readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(TESTS, file));
}

/** The first argument of each `test(…)`, `it(…)`, `test.each(…)(…)`: as it is written, with its placeholders. */
function titlesIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    const [title] = ts.isCallExpression(node) && isTest(node.expression) ? node.arguments : [];
    if (title && ts.isStringLiteralLike(title)) titles.push(title.text);
    if (title && ts.isTemplateExpression(title)) titles.push(title.getText(source).slice(1, -1));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** A test that is skipped shows nothing. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === 'test' || callee.text === 'it';
  if (ts.isPropertyAccessExpression(callee))
    return !['skip', 'todo'].includes(callee.name.text) && isTest(callee.expression);
  if (ts.isCallExpression(callee)) return isTest(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && isTest(callee.tag);
}
