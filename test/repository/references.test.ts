// What comments, tests and pages refer to is in this repository: sections of the payment service, files, rows of the
// fault table. A clone has nothing else.

import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { externalProblem, isExternal, linksOf, relativeProblem } from './pages/markdown-links';

const root = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Tracked files and those that will be, as they stand in the working tree. */
const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\0')
  .filter(isFile);
const texts = files
  .filter((path) => /^(src|test|bench|proof|scripts|prisma|docs|views)\/|^README(\.\w+)?\.md$/.test(path))
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

describe('a link of a Markdown page', () => {
  const pages = files.filter((path) => path.endsWith('.md'));
  const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })));
  const problemsOf = (which: typeof links, check: (page: string, link: string) => string | null) =>
    which.flatMap(({ page, link }) => {
      const problem = check(page, link);
      return problem === null ? [] : [`${page}: ${link} ${problem}`];
    });

  test('into this repository leads to a file, and its anchor to a heading', () => {
    const relative = links.filter(({ link }) => !isExternal(link));
    expect(relative.length).toBeGreaterThan(200);
    expect(problemsOf(relative, relativeProblem)).toEqual([]);
  });

  test('to somewhere else is an address that can be opened, over https', () => {
    const external = links.filter(({ link }) => isExternal(link));
    expect(external.length).toBeGreaterThan(5);
    expect(problemsOf(external, (_page, link) => externalProblem(link))).toEqual([]);
  });

  test('to a picture says in words what it shows; each picture is shown, made by the script, and below 200 kB', () => {
    const script = read('scripts/pages/screenshot.ts');
    const pictures = files.filter((path) => path.startsWith('docs/screenshots/'));
    expect(pictures.length).toBeGreaterThan(5);
    for (const picture of pictures) {
      const shown = links.filter(({ page, link }) => fileOf(page, link) === picture);
      const name = /(\w[\w-]*)\.png$/.exec(picture)?.[1];
      expect([picture, shown.length > 0, script.includes(`'${name}'`)]).toEqual([picture, true, true]);
      expect([picture, statSync(join(root, picture)).size < 200_000]).toEqual([picture, true]);
      for (const { page, link } of shown)
        expect([page, read(page)]).toEqual([
          page,
          expect.stringMatching(new RegExp(`<img src="${link}" width="\\d+" alt="[^"]{15,}">`)),
        ]);
    }
  });

  test('leads from README.md to every page of docs, by way of others', () => {
    const reached = new Set(['README.md']);
    for (const page of reached)
      for (const link of pages.includes(page) ? linksOf(page).filter((each) => !isExternal(each)) : [])
        reached.add(fileOf(page, link));
    expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
  });

  test('is refused where it leads nowhere', () => {
    const page = 'docs/guides/deploy.md';
    expect(relativeProblem(page, '../none.md')).toBe('docs/none.md is not there');
    expect(relativeProblem(page, '../glossary.md#no-such-word')).toMatch(/no heading/);
    expect(relativeProblem(page, '../../../other')).toMatch(/out of the repository/);
    expect(relativeProblem(page, '../../package.json#L9999')).toMatch(/no place/);
    expect(externalProblem('http://example.com')).not.toBeNull();
  });
});

/** A folder stands for its README. */
function fileOf(page: string, link: string): string {
  const path = join(dirname(page), decodeURIComponent(link.split('#')[0] ?? ''));
  return isFile(path) ? path : join(path, 'README.md');
}

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

/** A file that was deleted and not yet committed is still tracked. */
function isFile(path: string): boolean {
  return path !== '' && (statSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false);
}
