// What comments, tests and pages refer to is in this repository: sections of the payment service, files, rows of the
// fault table. A clone has nothing else.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Tracked files and those that will be, as they stand in the working tree. */
const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\0')
  .filter(isFile);
const texts = files
  .filter((path) => /^(src|test|bench|scripts|prisma|docs|views)\/|^README(\.\w+)?\.md$/.test(path))
  .filter((path) => !/\.(png|jpe?g|ico|webp|woff2?)$/.test(path));

const SERVICE_PAGE = 'docs/payment-service.md';
const FAULT_PAGE = 'docs/faults.md';
const sections = all(/^#+ §(\d+(?:\.\d+)*) /gm, read(SERVICE_PAGE));

test('every section that is cited is a heading of docs/payment-service.md', () => {
  expect(citations(texts, /§(\d+(?:\.\d+)*)/g, (section) => !sections.includes(section))).toEqual([]);
});

test('docs/payment-service.md has each section once, in order', () => {
  const byNumber = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });
  expect(sections).toEqual([...new Set(sections)].sort(byNumber));
});

test('every relative link of a Markdown page leads to a file, and its anchor to a heading', () => {
  const pages = files.filter((path) => path.endsWith('.md'));
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => !leadsSomewhere(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

// Put together from parts, so that this file does not name them itself.
const CONTRACT = ['con', 'tract'].join('');
const BETWEEN_WORDS = '[\\s/*]+'; // also where a comment is wrapped
const ABSENT_PAGES = [
  ['\\b(?:the|our|this)', `${CONTRACT}\\b`].join(BETWEEN_WORDS),
  `\\b${CONTRACT}(?=${BETWEEN_WORDS}§|:|\\))`,
  ['\\bfield', 'notes?\\b'].join(BETWEEN_WORDS),
  '\\.\\./shared',
];

test('nothing names a page that a clone does not have', () => {
  expect(citations(texts, new RegExp(ABSENT_PAGES.join('|'), 'gi'))).toEqual([]);
});

describe('every row of the fault table that is cited is a row of docs/faults.md', () => {
  const rows = isFile(FAULT_PAGE) ? all(/^\| *([A-Z]\d+) *\|/gm, read(FAULT_PAGE)) : [];
  const isNoRow = (row: string) => !rows.includes(row);
  beforeAll(() => expect(rows).not.toEqual([]));

  test('below test/faults, wherever it stands', () => {
    const tests = texts.filter((path) => path.startsWith('test/faults/'));
    expect(citations(tests, /(?<![\w%.\\/+-])([A-Z][1-9]\d?)(?![\w%/+=-])/g, isNoRow)).toEqual([]);
  });

  test('in other tests at the beginning of a name, in tests and sources in parentheses', () => {
    const names = /['"`]([A-Z][1-9]\d?)(?=[:, ])/g;
    const lists = /\(((?:faults? )?[A-Z][1-9]\d?(?:(?:, | and | to )[A-Z][1-9]\d?)*)\)/g;
    const tests = texts.filter((path) => /^test\/.*\.test\.ts$/.test(path));
    const sources = texts.filter((path) => /^(src|test|bench)\/.*\.ts$/.test(path));
    const hasNoRow = (cited: string) => all(/[A-Z]\d+/g, cited).some(isNoRow);
    expect(citations(tests, names, isNoRow)).toEqual([]);
    expect(citations(sources, lists, hasNoRow)).toEqual([]);
  });
});

/** The first group of each match, or all of it, with where it stands: "path:line cited". */
function citations(
  paths: string[],
  pattern: RegExp,
  isWanted: (cited: string) => boolean = () => true,
): string[] {
  return paths.flatMap((path) => {
    const text = read(path);
    return [...text.matchAll(pattern)]
      .map(({ 0: match, 1: group = match, index }) => ({ cited: group, index }))
      .filter(({ cited }) => isWanted(cited))
      .map(({ cited, index }) => `${path}:${text.slice(0, index).split('\n').length} ${cited}`);
  });
}

function all(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].map(({ 0: match, 1: group = match }) => group);
}

/** Targets of links and pictures, in Markdown and in HTML, that lie in this repository. Code is left out. */
function linksOf(page: string): string[] {
  const text = withoutCode(read(page));
  const forms = [/\]\(([^()\s]+)\)/g, /^\[[^\]]+\]: +(\S+)/gm, /(?:src|href)="([^"]+)"/g];
  const targets = forms.flatMap((form) => all(form, text));
  return targets.filter((target) => !/^[a-z]+:/i.test(target));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [target = '', anchor] = link.split('#');
  const path = target === '' ? page : join(dirname(page), decodeURIComponent(target));
  if (!existsSync(join(root, path))) return false;
  return anchor === undefined || !path.endsWith('.md') || anchorsOf(path).includes(anchor);
}

/** As GitHub makes them of headings: lower case, no punctuation, hyphens for spaces. */
function anchorsOf(page: string): string[] {
  return all(/^#{1,6} (.+)$/gm, withoutCode(read(page), ['```'])).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

function withoutCode(text: string, fences: readonly string[] = ['```', '`']): string {
  return fences.reduce((rest, fence) => rest.replace(new RegExp(`${fence}[^]*?${fence}`, 'g'), ''), text);
}

/** A file that was deleted and not yet committed is still tracked. */
function isFile(path: string): boolean {
  return path !== '' && (statSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false);
}
