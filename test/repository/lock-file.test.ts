// The lock file installs on every platform and from every registry, with a checksum of each package. Which versions are the
// least is in dependencies.test.ts.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Entry = {
  version: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  engines?: { node?: string };
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
};
type Manifest = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>;

const root = join(__dirname, '..', '..');
const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as unknown;
const { packages } = readJson('package-lock.json') as { packages: Record<string, Entry> };
const manifest = readJson('package.json') as Manifest & { engines: { node: string } };

// npm silently leaves out a platform's package that the registry lacks, and then `npm ci` fails on every machine.
test('every optional dependency of every package is in the lock', () => {
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => installedVersion(name, path) === undefined)
      .map((name) => `${path} wants ${name}`),
  );
  expect(missing).toEqual([]);
});

test('no entry names a registry, so that every mirror works', () => {
  expect(Object.values(packages).filter((entry) => entry.resolved !== undefined)).toEqual([]);
  const settings = readFileSync(join(root, '.npmrc'), 'utf8');
  expect(settings).not.toMatch(/^\s*(\S+:)?registry\s*=/m);
  // So that it stays like this when somebody installs a package: npm writes the address of the registry otherwise.
  expect(settings).toMatch(/^omit-lockfile-registry-resolved=true$/m);
});

test('every direct dependency is pinned to one version, and the lock has that one', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const direct = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const loose = direct.filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version);
  expect(loose).toEqual([]);
});

test('every direct dependency of the programs accepts the Node version that package.json promises', () => {
  expect(manifest.engines.node).toBe('>=20.19.0');
  const tooNew = Object.keys(manifest.dependencies).filter((name) =>
    /(>=|\^|~)\s*2[1-9]/.test(packages[`node_modules/${name}`]?.engines?.node?.split('||')[0] ?? ''),
  );
  expect(tooNew).toEqual([]);
});

test('every package has a checksum, and is not a link to somewhere else', () => {
  const packed = Object.entries(packages).filter(([path]) => path !== '');
  expect(packed.length).toBeGreaterThan(500);
  const unchecked = packed.filter(
    ([, { integrity, link }]) => link || !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''),
  );
  expect(unchecked.map(([path]) => path)).toEqual([]);
});

/** Searches as Node does: beside the package, then in each folder above. */
function installedVersion(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('node_modules/') - 1, 0))) {
    const path = [folder, 'node_modules', name].filter(Boolean).join('/');
    if (packages[path]) return packages[path].version;
    if (folder === '') return undefined;
  }
}
