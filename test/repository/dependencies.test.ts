// docs/dependencies.md says which versions are the least and what becomes of install scripts; package.json and the lock
// file agree with it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Entry = {
  version: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  peer?: boolean;
};
type Manifest = {
  dependencies: Record<string, string>;
  scripts: Record<string, string>;
  allowScripts: Record<string, boolean>;
};

const root = join(__dirname, '..', '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> };
const manifest = JSON.parse(read('package.json')) as Manifest;
const page = read('docs/dependencies.md');

/** The cells of each row of the table of a chapter, without back-quotes. */
function rowsOf(title: string): string[][] {
  const chapter = page.split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? '';
  return [...chapter.matchAll(/^\| `.*$/gm)].map(([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
}

const direct = rowsOf('Direct dependencies');
const brought = rowsOf('What they bring along');
const copiesOf = (name: string) =>
  Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
const runsInProduction = ({ dev, optional, devOptional, peer }: Entry) =>
  !(dev || optional || devOptional || peer);

test('the page has every direct dependency, with the version that is pinned', () => {
  expect(direct.map(([name, pinned]) => [name, pinned])).toEqual(Object.entries(manifest.dependencies));
});

const leastOfDirect = direct.flatMap(([name = '', , least = '']) => (least === '–' ? [] : [[name, least]]));

test.each(leastOfDirect)('every %s in the lock is at least %j', (name, least) => {
  const below = copiesOf(name).filter(([, { version }]) => !isAtLeast(version, least));
  expect([copiesOf(name).length > 0, below]).toEqual([true, []]);
});

test.each(brought.map(([name = '', , least = '']) => [name, least]))(
  'every %s that production runs is at least %j',
  (name, least) => {
    const copies = copiesOf(name).filter(([, entry]) => runsInProduction(entry));
    const below = copies.filter(([, { version }]) => !isAtLeast(version, least));
    expect([copies.length > 0, below]).toEqual([true, []]);
  },
);

test('each least version has its reason', () => {
  for (const [name, , least] of [...direct, ...brought])
    expect([name, least === '–' || /^\d+\.\d+\.\d+$/.test(least ?? '')]).toEqual([name, true]);
  for (const [name, , least, why] of [...direct, ...brought])
    expect([name, /(CVE|GHSA)-/.test(why ?? '')]).toEqual([name, least !== '–']);
});

test('the page and allowScripts have every package with an install script, and no other', () => {
  const withScript = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  const listed = rowsOf('Install scripts').flatMap(([names = '', , , allowed]) =>
    names.split(', ').map((name): [string, boolean] => [name, allowed === 'true']),
  );
  expect(withScript.length).toBeGreaterThan(0);
  expect(listed.map(([name]) => name).sort()).toEqual([...new Set(withScript)].sort());
  expect(Object.fromEntries(listed)).toEqual(manifest.allowScripts);
});

test('whatever installs by itself runs no install script (L9)', () => {
  expect(read('scripts/bootstrap.mjs')).toMatch(/\['ci', '--ignore-scripts'/);
  const installs = (file: string) =>
    read(file)
      .split('\n')
      .filter((line) => !line.startsWith('#') && /\bnpm (ci|i|install)\b/.test(line));
  expect(installs('Dockerfile')).toEqual([expect.stringContaining(' --ignore-scripts')]);
  expect(installs('.ci/run')).toEqual([]);
  expect(installs('.github/workflows/ci.yml')).toEqual([]);
  // With this setting npm would leave out `prestart`, `pretest` and `prebuild`, which install.
  expect(read('.npmrc')).not.toContain('ignore-scripts');
  for (const name of ['start', 'test', 'build'])
    expect(manifest.scripts[`pre${name}`]).toBe('node scripts/bootstrap.mjs');
});

/** A version before a release is below it. */
function isAtLeast(version: string, least: string): boolean {
  const [numbers = '', preRelease] = version.split('-', 2);
  const parts = numbers.split('.').map(Number);
  const gaps = least.split('.').map((part, index) => (parts[index] ?? 0) - Number(part));
  return (gaps.find((gap) => gap !== 0) ?? (preRelease === undefined ? 0 : -1)) >= 0;
}
