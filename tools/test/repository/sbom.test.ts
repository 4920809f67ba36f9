// `npm run tool -- sbom` lists what the image runs: every package that it installs and its base image, and nothing else.

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
type Sbom = { components: Component[] };
type Entry = { version: string; integrity: string } & Record<
  'dev' | 'optional' | 'devOptional' | 'peer',
  boolean | undefined
>;

const root = join(__dirname, '..', '..', '..');
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown;
const { packages } = readJson(join(root, 'package-lock.json')) as { packages: Record<string, Entry> };
const [, tag, digest] =
  /^ARG NODE_IMAGE=node:(\S+)@sha256:(\w+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];

/** `name@version` and checksum of each package that the image installs. */
const installed = new Map(
  Object.entries(packages)
    .filter(([path]) => path !== '')
    .filter(([, { dev, optional, devOptional, peer }]) => !(dev || optional || devOptional || peer))
    .map(([path, { version, integrity }]): [string, string] => [
      `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
      Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
    ]),
);

let sbom: Sbom;
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
  // Variables that npm sets for these tests are removed, so that a run by hand has the same result.
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

test('it lists each installed package once, with version, address, licence and the checksum of the lock file', () => {
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
