// What is installed here works without install scripts and without a network: scripts/bootstrap.mjs with the real Prisma and
// the real packages. bootstrap.test.ts has its rules, with stand-ins.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const COPIED = ['package.json', 'package-lock.json', 'prisma', 'scripts', 'tools/package-lock.json'];
const INSTALLED = ['node_modules', 'scripts/node_modules', 'tools/node_modules'];
/** Root on Linux can disconnect from the network; elsewhere the proxy of this environment does not exist. */
const canLeaveNetwork = spawnSync('unshare', ['--net', 'true']).status === 0;
const NOWHERE = 'http://127.0.0.1:9';

test('L9 Prisma’s client is generated without a network, and is the one of the repository', () => {
  const copy = mkdtempSync(join(tmpdir(), 'installation-'));
  try {
    const filter = (path: string) => basename(path) !== 'node_modules';
    for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true, filter });
    for (const name of INSTALLED) symlinkSync(join(root, name), join(copy, name));
    const bootstrap = [process.execPath, join(copy, 'scripts', 'bootstrap.mjs')];
    const [program = '', ...args] = canLeaveNetwork ? ['unshare', '--net', ...bootstrap] : bootstrap;
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: copy,
      env: {
        PATH: process.env['PATH'],
        HOME: copy,
        HTTPS_PROXY: NOWHERE,
        HTTP_PROXY: NOWHERE,
        // An installation would fail, so nothing can be installed here.
        npm_execpath: join(copy, 'npm-cli.js'),
      },
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
    const generated = join('src', 'generated');
    const filesIn = (folder: string) =>
      readdirSync(join(folder, generated), { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(folder, generated, name)).isFile())
        .sort()
        .map((name) => [name, readFileSync(join(folder, generated, name), 'utf8')]);
    expect(filesIn(copy)).toEqual(filesIn(root));
  } finally {
    rmSync(copy, { recursive: true });
  }
});

// On another machine a plain `npm ci` may have run, which is not an error. `.ci/run` begins with the installation of
// scripts/bootstrap.mjs, and all later steps show that nothing is missing.
const inCi = process.env['CI'] === undefined ? describe.skip : describe;
if (process.env['CI'] === undefined)
  process.stderr.write('Whether install scripts ran: skipped, this is not CI (set CI to look).\n');

inCi('in CI', () => {
  test('L9 CI has installed without install scripts', () => {
    // The script of esbuild replaces this file by a binary, and that of @prisma/engines downloads engines.
    expect(readFileSync(join(root, 'node_modules/esbuild/bin/esbuild'), 'latin1')).toMatch(/^#!.*node\n/);
    const engines = readdirSync(join(root, 'scripts/node_modules/@prisma/engines'), { encoding: 'utf8' });
    expect(engines.filter((name) => /engine/.test(name))).toEqual([]);
  });
});
