// The table of planted bugs is current: the source text to change exists, and so does the test that must fail.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GUARDS, PAGES } from '../../proof/planted-bugs/planted-bug';
import { PLANTED_BUGS } from '../../proof/planted-bugs/planted-bugs';

const root = join(__dirname, '..', '..', '..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const oneLine = (text: string) => text.replace(/\s+/g, ' ');
const pages = PAGES.map((page) => oneLine(read(page)));

test('there are at least forty, with different names', () => {
  const names = PLANTED_BUGS.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(40);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
});

test.each(PLANTED_BUGS)('$name: its text is exactly once in the source', ({ file, find, replace }) => {
  expect(read('src', 'merchant', file).split(find)).toHaveLength(2);
  expect(replace).not.toBe(find);
});

test.each(PLANTED_BUGS)('$name: the test that has to fail exists', (bug) => {
  expect(bug.title).not.toBe('');
  expect(read('test', bug.test)).toContain(bug.title);
});

test('every safeguard is quoted from a page and has a bug that removes it', () => {
  for (const words of Object.values(GUARDS))
    expect(pages.some((page) => page.includes(words)) || words).toBe(true);
  expect(new Set(PLANTED_BUGS.map(({ guard }) => guard))).toEqual(new Set(Object.keys(GUARDS)));
});

test('every safeguard of README.md has a bug', () => {
  const [section = ''] = /## What it gets right\n([\s\S]*?)\n## /.exec(read('README.md'))?.slice(1) ?? [];
  const promised = [...section.matchAll(/^- \*\*(.+?)\*\*/gm)].map((match) => match[1]);
  expect(promised.length).toBeGreaterThan(5);
  expect(Object.values(GUARDS)).toEqual(expect.arrayContaining(promised));
});
