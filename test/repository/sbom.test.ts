// `npm run sbom` lists what the image runs: every package that it installs and its base image, and nothing else.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Component = {
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  purl: string;
  hashes: { alg: string; content: string }[];
  licenses?: object[];
};
type Sbom = {
  bomFormat: string;
  specVersion: string;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};
type Entry = { version: string; integrity: string } & Record<
  'dev' | 'optional' | 'devOptional' | 'peer',
  boolean | undefined
>;

const root = join(__dirname, '..', '..');
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown;
const manifest = readJson(join(root, 'package.json')) as Record<'name' | 'version', string> &
  Record<'dependencies' | 'devDependencies', Record<string, string>>;
const { packages } = readJson(join(root, 'package-lock.json')) as { packages: Record<string, Entry> };
const [, tag, digest] =
  /^ARG NODE_IMAGE=node:(\S+)@sha256:(\w+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];

/** Of each package that the image installs, and of each other one: `name@version`, with its checksum. */
const checksums = (isInstalled: boolean) =>
  Object.entries(packages)
    .filter(([path]) => path !== '')
    .filter(
      ([, { dev, optional, devOptional, peer }]) => isInstalled === !(dev || optional || devOptional || peer),
    )
    .map(([path, { version, integrity }]): [string, string] => [
      `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
      Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
    ]);
const installed = new Map(checksums(true));

let sbom: Sbom;
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
  // What npm has set for these tests is removed, so that a run by hand finds the same.
  const environment = Object.entries(process.env).filter(
    ([name]) => !/^npm_(lifecycle|package|command)/.test(name),
  );
  execFileSync(process.execPath, ['scripts/sbom.mjs', join(folder, 'sbom.json')], {
    cwd: root,
    env: Object.fromEntries(environment),
    stdio: 'pipe',
  });
  sbom = readJson(join(folder, 'sbom.json')) as Sbom;
  rmSync(folder, { recursive: true });
});

const listed = () => sbom.components.filter(({ type }) => type === 'library');

test('it is CycloneDX of this program, with the time at which it was made', () => {
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) });
  const { name, version } = manifest;
  expect(sbom.metadata.component).toMatchObject({ name, version, type: 'application' });
  expect(Math.abs(Date.now() - Date.parse(sbom.metadata.timestamp))).toBeLessThan(60_000);
});

test('it lists each package that the image installs once, with version, address, licence and the checksum of the lock file', () => {
  expect(installed.size).toBeGreaterThan(150);
  expect(
    listed()
      .map((component) => component['bom-ref'])
      .sort(),
  ).toEqual([...installed.keys()].sort());
  for (const { name, version, purl, hashes, licenses = [] } of listed()) {
    const ref = `${name}@${version}`;
    expect([ref, purl]).toEqual([ref, `pkg:npm/${name.replace('@', '%40')}@${version}`]);
    expect([ref, hashes]).toEqual([ref, [{ alg: 'SHA-512', content: installed.get(ref) }]]);
    expect([ref, licenses.length]).toEqual([ref, 1]);
  }
});

test('it lists the base image by the digest of the Dockerfile', () => {
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  const containers = sbom.components.filter(({ type }) => type === 'container');
  expect(containers).toEqual([
    expect.objectContaining({
      name: 'node',
      version: tag,
      purl: `pkg:docker/node@sha256%3A${digest}?tag=${tag}`,
      hashes: [{ alg: 'SHA-256', content: digest }],
    }),
  ]);
});

test('it says who needs what, among what it lists', () => {
  const refs = new Set(sbom.components.map((component) => component['bom-ref']));
  const { ref: ofProgram } = { ref: sbom.metadata.component['bom-ref'] };
  const direct = sbom.dependencies.find(({ ref }) => ref === ofProgram)?.dependsOn;
  expect(direct).toEqual([
    ...Object.entries(manifest.dependencies).map(([name, version]) => `${name}@${version}`),
    `node@sha256:${digest}`,
  ]);
  const named = sbom.dependencies.flatMap(({ ref, dependsOn }) => [
    ...(ref === ofProgram ? [] : [ref]),
    ...dependsOn,
  ]);
  expect(named.filter((ref) => !refs.has(ref))).toEqual([]);
  const needed = new Set(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn));
  expect([...refs].filter((ref) => !needed.has(ref))).toEqual([]);
});
