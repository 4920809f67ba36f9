// All referenced sections of the payment service's document and files exist in this repository.

import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryFiles } from '../../../test/support/repository-files';
import { copyRepository, removeCopy } from '../../proof/copy-repository';
import { externalProblem, isExternal, linksOf, relativeProblem } from './pages/markdown-links';

const root = join(__dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const files = repositoryFiles(root);
const texts = files
  .filter((path) => /^(src|test|tools|scripts|prisma|docs|views)\/|^README(\.\w+)?\.md$/.test(path))
  .filter((path) => !/\.(png|jpe?g|ico|webp|woff2?)$/.test(path));

const sections = [...read('docs/12-payment-service.md').matchAll(/^#+ §(\d+(?:\.\d+)*) /gm)].map(
  ([, section = '']) => section,
);

test('every section that is cited is a heading of docs/12-payment-service.md', () => {
  const cited = texts.flatMap((path) =>
    [...read(path).matchAll(/§(\d+(?:\.\d+)*)/g)].map(([, section = '']) => ({ path, section })),
  );
  expect(cited.filter(({ section }) => !sections.includes(section))).toEqual([]);
});

test('docs/12-payment-service.md has each section once, in order', () => {
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

  test('leads from README.md to every page of docs, directly or through others', () => {
    const reached = new Set(['README.md']);
    for (const page of reached)
      for (const link of pages.includes(page) ? linksOf(page).filter((each) => !isExternal(each)) : [])
        reached.add(fileOf(page, link));
    expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
  });
});

/** A folder means its README. */
function fileOf(page: string, link: string): string {
  const path = join(dirname(page), decodeURIComponent(link.split('#')[0] ?? ''));
  return isFile(path) ? path : join(path, 'README.md');
}

/** A file that was deleted and not yet committed is still tracked. */
function isFile(path: string): boolean {
  return path !== '' && (statSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false);
}

// What is gone is taken out of an adopted shop's documents, so a stale name would take a sentence along.
test('every command and file that a page names is there', () => {
  const copy = copyRepository('references');
  try {
    const tidy = `import { tidyDocuments } from './scripts/parts/documents.mjs';
      console.log(JSON.stringify(tidyDocuments('.')))`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', tidy], { cwd: copy });
    expect(JSON.parse(output.toString())).toEqual([]);
  } finally {
    removeCopy(copy);
  }
});
