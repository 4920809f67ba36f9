// What the README of examples/minimal and our pages say about it. minimal-stories.test.ts runs its stories.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STORY_NAMES } from '../../../src/sandbox/stories/story';
import { ROOT } from '../../../test/support/shop-copy';
import { chapters } from './pages/tutorial';

const FOLDER = join(ROOT, 'examples', 'minimal');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const sources = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'));
const isOfTests = (name: string) => name.includes('test');

test('each chapter of the tutorial has a row in its table, with a story', () => {
  const rows = [...read('examples/minimal/README.md').matchAll(/^\| (\d+)\. .*\| +`([\w-]+)` +\| +\[`/gm)];
  expect(rows.map(([, chapter]) => Number(chapter))).toEqual(chapters().map((_, index) => index + 1));
  expect(STORY_NAMES).toEqual(expect.arrayContaining(rows.map(([, , story]) => story)));
});

test('it has at most the lines that the READMEs promise', () => {
  const lines = sources
    .filter((name) => !isOfTests(name))
    .reduce((sum, name) => sum + read(`examples/minimal/${name}`).split('\n').length - 1, 0);
  for (const page of ['README.md', 'README.ko.md', 'docs/02-tutorial/README.md']) {
    const [, promised] = /(\d+)(?: lines|줄)/.exec(read(page)) ?? [];
    expect([page, lines <= Number(promised)]).toEqual([page, true]);
  }
});

test('its packages are those that it uses, in the versions of this repository', () => {
  const { dependencies, devDependencies } = JSON.parse(read('examples/minimal/package.json'));
  const ours = ['package.json', 'scripts/package.json', 'tools/package.json'].map((path) =>
    JSON.parse(read(path)),
  );
  const versions = Object.assign({}, ...ours.flatMap((each) => [each.devDependencies, each.dependencies]));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    expect([name, version]).toEqual([name, versions[name]]);
  const used = sources
    .filter((name) => !isOfTests(name))
    .flatMap((name) => [...read(`examples/minimal/${name}`).matchAll(/ from '((?:@[\w-]+\/)?[a-z][\w-]*)/g)])
    .map(([, from = '']) => from)
    // Node's own modules, and the configuration of a tool.
    .filter((from) => !['node', 'prisma'].includes(from));
  // The generated client needs one, and the start the other.
  expect(Object.keys(dependencies).sort()).toEqual([...new Set([...used, '@prisma/client', 'tsx'])].sort());
});
