// docs/glossary.md has words that are used: each stands in the sources or the pages, in one spelling or another.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const glossary = readFileSync(join(ROOT, 'docs', 'glossary.md'), 'utf8');
const words = [...glossary.matchAll(/^\| (?!Word|---)([^|]+?) +\|/gm)].flatMap(([, cell = '']) =>
  cell.replaceAll('`', '').split(', '),
);
const sources = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard', 'src', 'views'], {
  cwd: ROOT,
})
  .toString()
  .split('\0')
  .filter((path) => /\.(ts|eta|md)$/.test(path))
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n');

test('each word stands there once', () => {
  expect(words.length).toBeGreaterThan(50);
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
});

/** As two words, in kebab-case, in camelCase or in snake_case. */
const isUsed = (word: string) => new RegExp(`\\b${word.replaceAll(/[ _]/g, '[ _-]?')}`, 'i').test(sources);

test('and is used', () => {
  expect(isUsed('wordless')).toBe(false);
  expect(words.filter((word) => !isUsed(word))).toEqual([]);
});
