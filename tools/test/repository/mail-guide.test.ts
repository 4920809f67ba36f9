// The commands of the guide for mails run with the real npm: what they change in package.json and the lock file, and
// whether the image then has the imports of the copied file. The test has its own registry with this one package.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(__dirname, '..', '..', '..');
const guide = readFileSync(join(root, 'docs/03-guides/4-order-events.md'), 'utf8');
const example = readFileSync(join(root, 'docs/examples/mail/shop/on-order-event.ts'), 'utf8');
const readJson = (folder: string, name: string) =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, any>;

jest.setTimeout(60_000);
let folder: string;
let registry: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mail-guide-'));
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(root, name), join(folder, name));
  const manifest = readJson(root, 'node_modules/nodemailer/package.json');
  const { version } = manifest as { version: string };
  const { integrity } = readJson(root, 'package-lock.json')['packages']['node_modules/nodemailer'];
  registry = createServer((request, response) => {
    if (request.url !== '/nodemailer') return void response.writeHead(404).end('{}');
    const dist = { integrity, tarball: `http://${request.headers.host}/nodemailer-${version}.tgz` };
    const packument = {
      name: 'nodemailer',
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist } },
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(packument));
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  registry.closeAllConnections();
  await new Promise((resolve) => registry.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

/** Changes both files and installs nothing. */
async function npm(command: string): Promise<void> {
  const [program = '', ...args] = command.split(' ');
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      npm_config_cache: join(folder, 'cache'),
      npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
      npm_config_package_lock_only: 'true',
      npm_config_update_notifier: 'false',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect([exitCode, exitCode === 0 ? '' : errors]).toEqual([0, '']);
}

test('the packages that the copied file imports are installed in the image', async () => {
  const [, command = ''] = /^(npm install .*)$/m.exec(guide) ?? [];
  expect(example).toContain(`\`${command}\``);
  const before = readJson(folder, 'package-lock.json')['packages'];
  await npm(command);

  const { devDependencies } = readJson(folder, 'package.json');
  const { packages } = readJson(folder, 'package-lock.json');
  const imported = [...example.matchAll(/^import (?!type ).* from '([^.'][^']*)';$/gm)].map(
    ([, name]) => name,
  );
  expect(imported).toEqual(['nodemailer']);
  for (const name of imported) {
    expect(Object.keys(devDependencies)).not.toContain(name);
    // The Dockerfile installs without `dev`.
    expect(packages[`node_modules/${name}`]).not.toHaveProperty('dev');
  }
  // Nothing else has changed: no package of another platform is lost, and no registry is named.
  delete before['node_modules/nodemailer'].dev;
  expect(packages).toEqual({ ...before, '': packages[''] });
});
