// package.json and the lock file agree with docs/project/dependencies.md about minimum versions and install scripts. The lock file
// installs on every platform and from every registry, with a checksum of each package.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Entry = {
  version: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  engines?: { node?: string };
  optionalDependencies?: Record<string, string>;
  hasInstallScript?: boolean;
} & Partial<Record<'dev' | 'optional' | 'devOptional' | 'peer', boolean>>;
type Manifest = {
  engines: { node: string };
  scripts: Record<string, string>;
  allowScripts: Record<string, boolean>;
} & Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>;

const root = join(__dirname, '..', '..', '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const packagesOf = (folder: string) =>
  (JSON.parse(read(join(folder, 'package-lock.json'))) as { packages: Record<string, Entry> }).packages;
const packages = packagesOf('.');
const manifest = JSON.parse(read('package.json')) as Manifest;
const page = read('docs/project/dependencies.md');

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

test('the page has every direct dependency with its pinned version', () => {
  expect(direct.map(([name, pinned]) => [name, pinned])).toEqual(Object.entries(manifest.dependencies));
});

const leastOfDirect = direct.flatMap(([name = '', , least = '']) => (least === '–' ? [] : [[name, least]]));

test.each(leastOfDirect)('every %s in the lock file has at least version %j', (name, least) => {
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

test('the page and allowScripts have exactly the packages with an install script', () => {
  const withScript = ['.', 'scripts', 'tools']
    .flatMap((folder) => Object.entries(packagesOf(folder)))
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  const listed = rowsOf('Install scripts').flatMap(([names = '', , , allowed]) =>
    names.split(', ').map((name): [string, boolean] => [name, allowed === 'true']),
  );
  expect(withScript.length).toBeGreaterThan(0);
  expect(listed.map(([name]) => name).sort()).toEqual([...new Set(withScript)].sort());
  const ofScripts = JSON.parse(read('scripts/package.json')) as Manifest;
  expect(Object.fromEntries(listed)).toEqual({ ...manifest.allowScripts, ...ofScripts.allowScripts });
});

test('no automatic installation runs an install script (L9)', () => {
  expect(read('scripts/bootstrap.mjs')).toMatch(/\['ci', '--ignore-scripts'/);
  const installs = (file: string) =>
    read(file)
      .split('\n')
      .filter((line) => !line.startsWith('#') && /\bnpm (ci|i|install)\b/.test(line));
  expect(installs('Dockerfile')).toEqual([expect.stringContaining(' --ignore-scripts')]);
  for (const name of ['run', 'programs']) expect(installs(`.ci/${name}`)).toEqual([]);
  for (const name of ['ci', 'release']) expect(installs(`.github/workflows/${name}.yml`)).toEqual([]);
  // A user may have set ignore-scripts=true: npm then leaves out whatever runs before or after a script.
  expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)/.test(name))).toEqual([]);
  for (const name of ['start', 'dev', 'test', 'check', 'build', 'adopt'])
    expect(manifest.scripts[name]).toMatch(/^node scripts\/bootstrap\.mjs (--(tools|check) )?&& /);
});

test('every direct dependency of the programs accepts the Node version that package.json promises', () => {
  expect(manifest.engines.node).toBe('^20.19.0 || ^22.12.0 || >=24.0.0');
  const tooNew = Object.keys(manifest.dependencies).filter((name) =>
    /(>=|\^|~)\s*2[1-9]/.test(packages[`node_modules/${name}`]?.engines?.node?.split('||')[0] ?? ''),
  );
  expect(tooNew).toEqual([]);
});

describe.each(['.', 'scripts', 'tools'])('the lock file of %s', (folder) => {
  const packages = packagesOf(folder);

  // npm silently leaves out a platform's package that the registry lacks, and then `npm ci` fails on every machine.
  test('every optional dependency of every package is in the lock', () => {
    const missing = Object.entries(packages).flatMap(([path, entry]) =>
      Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => installedVersion(packages, name, path) === undefined)
        .map((name) => `${path} wants ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test('no entry names a registry, so every mirror works', () => {
    expect(Object.values(packages).filter((entry) => entry.resolved !== undefined)).toEqual([]);
    const settings = read(join(folder, '.npmrc'));
    expect(settings).not.toMatch(/^\s*(\S+:)?registry\s*=/m);
    // .npmrc keeps it so: otherwise npm writes the address of the registry when a package is installed.
    expect(settings).toMatch(/^omit-lockfile-registry-resolved=true$/m);
  });

  test('every direct dependency is pinned to one version, and the lock has that one', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      read(join(folder, 'package.json')),
    ) as Manifest;
    const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const loose = all.filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version);
    expect(loose).toEqual([]);
  });

  test('every package has a checksum and is not a link', () => {
    const packed = Object.entries(packages).filter(([path]) => path !== '');
    expect(packed.length).toBeGreaterThan(200);
    const unchecked = packed.filter(
      ([, { integrity, link }]) => link || !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''),
    );
    expect(unchecked.map(([path]) => path)).toEqual([]);
  });
});

/** Searches as Node does: beside the package, then in each folder above. */
function installedVersion(packages: Record<string, Entry>, name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('node_modules/') - 1, 0))) {
    const path = [folder, 'node_modules', name].filter(Boolean).join('/');
    if (packages[path]) return packages[path].version;
    if (folder === '') return undefined;
  }
}

/** A pre-release version is below its release. */
function isAtLeast(version: string, least: string): boolean {
  const [numbers = '', preRelease] = version.split('-', 2);
  const parts = numbers.split('.').map(Number);
  const gaps = least.split('.').map((part, index) => (parts[index] ?? 0) - Number(part));
  return (gaps.find((gap) => gap !== 0) ?? (preRelease === undefined ? 0 : -1)) >= 0;
}
