// `npm start` as a real process with its own ports and data folder: what it shows, what works beside it, and that everything
// stops and the data stays, however it ends.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort, freePorts } from '../../src/local/postgres/free-port';
import { eventually } from '../support/eventually';
import { createTestDatabase } from '../support/postgres';
import { copySources, type ShopCopy } from '../support/shop-copy';

const BANNER_END = 'the next start finds the same data';
/** A parent that does not pass on signals. */
const AS_NPM = ['sh', '-c', '"$0" "$@"; exit $?'];

let folder: string;
/** Of this repository, with the shop's files as shipped. */
let sources: ShopCopy;
/** Shared by the tests that need no empty one, because a new cluster takes longer than a start. */
let dataDir: string;
let environment: Record<string, string>;
const started: Start[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'npm-start-'));
  dataDir = join(folder, 'data');
  sources = copySources();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  sources.remove();
});

async function useFreePorts(): Promise<void> {
  // A blank setting counts as not set.
  const names = ['NODE_ENV', 'DATABASE_URL', 'SERVICE_BASE_URL', 'SERVICE_V2_BASE_URL', 'API_KEY'];
  const unset = Object.fromEntries(names.map((name) => [name, '']));
  environment = { ...unset, ...(await twoFreePorts()), DATA_DIR: dataDir };
}

async function twoFreePorts(): Promise<Record<string, string>> {
  const [port, sandboxPort] = await freePorts(2);
  return { PORT: String(port), SANDBOX_PORT: String(sandboxPort) };
}

async function stopAll(): Promise<void> {
  for (const start of started.splice(0)) {
    start.child.kill('SIGINT');
    await start.exited;
  }
}

describe('one start, as npm runs it', () => {
  let running: Start;
  beforeAll(async () => {
    await useFreePorts();
    Object.assign(environment, { LOG_FORMAT: 'pretty', npm_lifecycle_event: 'start' });
    running = await startedUp(AS_NPM);
  });
  afterAll(stopAll);

  test('shows all addresses, and each event as a readable line', async () => {
    const page = await fetch(`${merchantUrl()}/cards`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('card')]);
    const sandbox = `http://localhost:${environment['SANDBOX_PORT']}/_sandbox`;
    const settings = (await (await fetch(`${sandbox}/settings`)).json()) as object;
    expect(settings).toMatchObject({ webhook_url: `${merchantUrl()}/webhooks/payments` });
    expect(running.output()).toContain(`${merchantUrl()}/api`);
    expect(running.output()).toContain(keptSecret('api-key'));

    // Otherwise the reconciliation that begins with a start may record the payment before its notification.
    await eventually(isReconciled);
    expect(await createOrder('shown')).toBe(201);
    await fetch(`${sandbox}/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ merchant_uid: 'shown', amount: 1000 }),
    });
    // Two processes write them, so any of them may come last.
    const last = [/delivered to the shop/, /200 recorded/, /<- sandbox GET \/payments\/svc_/];
    await eventually(() => last.every((line) => line.test(running.output())));
    const log = running.output().slice(running.output().indexOf(BANNER_END));
    expect(log).toMatch(/^\d\d:\d\d:\d\d {2}<- order shown +-> 201 \d+ ms$/m);
    expect(log).toMatch(/^\d\d:\d\d:\d\d {2}<- paid shown svc_\S+ +-> 200 recorded \d+ ms$/m);
    expect(log).toMatch(/ {2}<- sandbox GET \/payments\/svc_\S+ +-> 200 \d+ ms$/m);
    expect(log).toMatch(/ {2}-> order\.paid shown:1 +-> delivered to the shop$/m);
    expect(log).not.toMatch(/^\{/m);
  });

  test('a second start, a command, seed and a story use it', async () => {
    expect((await npmRun('src/merchant/cli/migrate.ts')).output).toBe('Nothing to apply.\n');
    const second = run();
    expect(await second.exited).toBe(0);
    expect(second.output()).toMatch(/^Already running, as process \d+\./);
    expect(second.output()).toContain(`${merchantUrl()}/api`);

    // The first seeded order and the last one. test/processes/operator/seed.test.ts seeds an empty shop.
    for (const uid of ['seed-01-01', 'seed-30-short']) expect(await createOrder(uid)).toBe(201);
    const seeded = await npmRun('src/local/seed.ts');
    expect([seeded.code, seeded.output]).toEqual([
      0,
      expect.stringMatching(/^ {2}open +2$[^]*nothing was done/m),
    ]);

    // Of the stories one: test/flows/stories runs all of them.
    const { output, code } = await npmRun('src/local/story.ts', 'forged-amount');
    expect(code).toBe(0);
    expect(output).toMatch(/ as expected$/m);
    expect(output).not.toContain('different');
  });

  test('O12 a second start in the same folder on other ports says what runs there, ends with 1 and touches nothing', async () => {
    const { pid } = JSON.parse(readFileSync(join(dataDir, 'lock-1.json'), 'utf8')) as { pid: number };
    const before = keptFiles();
    const ports = { ...environment };
    Object.assign(environment, await twoFreePorts());
    for (const watch of [[], ['--watch']]) {
      const second = run([], watch);
      expect(await second.exited).toBe(1);
      expect(second.output()).toBe(
        `${dataDir} is in use by process ${pid}, which runs at ${addressOf(ports)}: ` +
          'stop it first, or set DATA_DIR to another folder.\n',
      );
    }
    for (const name of ['PORT', 'SANDBOX_PORT'])
      expect(await freePort(Number(environment[name]))).not.toBeNull();
    expect(keptFiles()).toEqual(before);
    environment = ports;
    expect(await createOrder('beside')).toBe(201);
  });

  test('it ends with npm', async () => {
    // SIGTERM ends npm and nothing else. Each process that was started holds the other end of our pipes; they close with the last one.
    running.child.kill('SIGTERM');
    await running.exited;
    await untilPortsAreFree();
    expect(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
    expect(readdirSync(dataDir, { recursive: true }).filter((name) => /lock/.test(String(name)))).toEqual([]);
  });
});

describe('a start of its own', () => {
  beforeEach(useFreePorts);
  afterEach(stopAll);

  test('keeps its data after Ctrl-C and kill -9; a database that dies stops the others with one line, without a crash of the merchant', async () => {
    const stopped = await startedUp();
    expect(await createOrder('kept')).toBe(201);
    stopped.child.kill('SIGINT');
    expect(await stopped.exited).toBe(0);
    expect(stopped.output()).toMatch(/\nStopped\.\n$/);
    await untilPortsAreFree();
    expect(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false);

    const killed = await startedUp();
    expect(await createOrder('kept')).toBe(200);
    killed.child.kill('SIGKILL');
    await killed.exited;
    // The children detect it and free their ports.
    await untilPortsAreFree();

    const start = await startedUp();
    expect(await createOrder('kept')).toBe(200);
    const postmaster = readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8');
    process.kill(Number(postmaster.split('\n')[0]), 'SIGKILL');
    expect(await start.exited).toBe(1);
    expect(start.output()).toMatch(/\nThe database has ended, so everything else is stopped\.\n$/);
    expect(start.output()).not.toMatch(/"level":60|unhandled_rejection/);
    await untilPortsAreFree();
  });

  test('with DATABASE_URL and SERVICE_BASE_URL set, starts only the merchant and migrates the database', async () => {
    const database = await createTestDatabase();
    environment['DATA_DIR'] = join(folder, 'unused');
    environment['DATABASE_URL'] = database.url;
    environment['SERVICE_BASE_URL'] = 'http://127.0.0.1:9';
    const start = await startedUp();
    expect(await createOrder('elsewhere')).toBe(201);
    expect(await freePort(Number(environment['SANDBOX_PORT']))).not.toBeNull();
    expect(existsSync(join(folder, 'unused', 'postgres'))).toBe(false);
    start.child.kill('SIGINT');
    expect(await start.exited).toBe(0);
    await database.drop();
  });

  test('in production only the merchant starts and reports missing settings', async () => {
    Object.assign(environment, { NODE_ENV: 'production', DATA_DIR: join(folder, 'never') });
    const start = run();
    expect(await start.exited).toBe(1);
    for (const name of ['DATABASE_URL', 'SERVICE_BASE_URL', 'FORM_SECRET'])
      expect(start.output()).toContain(name);
    expect(existsSync(join(folder, 'never'))).toBe(false);
  });
});

type Start = { child: ChildProcess; exited: Promise<number | null>; output: () => string };

function run(by: string[] = [], options: string[] = []): Start {
  const start = [process.execPath, '--import', 'tsx', '--enable-source-maps', 'src/local/start.ts'];
  const [command = '', ...args] = [...by, ...start, ...options];
  const child = spawn(command, args, { cwd: sources.root, env: { ...process.env, ...environment } });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const running = { child, exited, output: () => output };
  started.push(running);
  return running;
}

async function startedUp(by?: string[]): Promise<Start> {
  const start = run(by);
  await eventually(() => start.output().includes(BANNER_END) || start.child.exitCode !== null);
  if (start.child.exitCode !== null) throw new Error(`It did not start:\n${start.output()}`);
  return start;
}

/** A command beside a running `npm start` works on its database, and finds its ports, without any setting. */
async function npmRun(script: string, ...given: string[]): Promise<{ output: string; code: number | null }> {
  const args = ['--import', 'tsx', script, ...given];
  const env = { ...process.env, ...environment, PORT: '', SANDBOX_PORT: '' };
  const child = spawn(process.execPath, args, { cwd: sources.root, env });
  const exited = once(child, 'exit');
  const output = await text(child.stdout);
  return { output, code: ((await exited) as [number | null])[0] };
}

/** Waits until processes that are not our children have ended, for which there is no event. */
async function untilPortsAreFree(): Promise<void> {
  for (const name of ['PORT', 'SANDBOX_PORT'])
    await eventually(async () => (await freePort(Number(environment[name]))) !== null);
}

/** The names of all files but those of PostgreSQL, and the content of those that only a start writes. */
function keptFiles(): [string, string][] {
  return readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('postgres') && statSync(join(dataDir, name)).isFile())
    .map((name) => [name, name.startsWith('sandbox') ? '' : readFileSync(join(dataDir, name), 'utf8')]);
}

function addressOf({ PORT, SANDBOX_PORT }: Record<string, string>): string {
  return `http://localhost:${PORT} and http://localhost:${SANDBOX_PORT} (sandbox)`;
}

function merchantUrl(): string {
  return `http://localhost:${environment['PORT']}`;
}

async function isReconciled(): Promise<boolean> {
  const metrics = await (await fetch(`${merchantUrl()}/metrics`)).text();
  return /^merchant_reconciliation_last_finished_timestamp_seconds [1-9]/m.test(metrics);
}

function keptSecret(name: string): string {
  return readFileSync(join(String(environment['DATA_DIR']), `${name}.secret`), 'utf8');
}

/** 201, or 200 if it exists already. */
async function createOrder(merchantUid: string): Promise<number> {
  const answer = await fetch(`${merchantUrl()}/api/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keptSecret('api-key')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ merchant_uid: merchantUid, name: 'Tea', amount: 1000 }),
  });
  return answer.status;
}
