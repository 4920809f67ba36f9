// `npm start` brings up the database, the sandbox and the merchant, and stops all of them, however it ends. The real
// process runs with ports and a data folder of its own.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../src/local/postgres/free-port';
import { STORY_NAMES } from '../../src/sandbox/stories/story';
import { eventually } from '../support/eventually';
import { createTestDatabase } from '../support/postgres';

const ROOT = join(__dirname, '..', '..');
const BANNER_END = 'the next start finds the same data';
const SECONDS = 1000;
jest.setTimeout(60 * SECONDS);

let dataDir: string;
let environment: Record<string, string>;
let started: Start[] = [];

beforeEach(async () => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'npm-start-')), 'data');
  // What is blank counts as not set, and keeps a developer's own .env out of the test.
  const unset = {
    NODE_ENV: '',
    DATABASE_URL: '',
    SERVICE_BASE_URL: '',
    SERVICE_V2_BASE_URL: '',
    API_KEY: '',
  };
  const ports = { PORT: String(await freePort(0)), SANDBOX_PORT: String(await freePort(0)) };
  environment = { ...unset, ...ports, DATA_DIR: dataDir };
});
afterEach(async () => {
  for (const start of started) {
    start.child.kill('SIGINT');
    await start.exited;
  }
  started = [];
  rmSync(join(dataDir, '..'), { recursive: true, force: true });
});

test('brings up database, sandbox and merchant, shows where they are, and stops all of it at Ctrl-C', async () => {
  const start = await startedUp();
  const page = await fetch(`${merchantUrl()}/cards/new`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('card_number');
  const console = await fetch(`http://localhost:${environment['SANDBOX_PORT']}/_sandbox/settings`);
  expect(await console.json()).toMatchObject({ webhook_url: `${merchantUrl()}/webhooks/payments` });
  expect(start.output()).toContain(`${merchantUrl()}/cards/new`);
  expect(start.output()).toContain(keptSecret('api-key'));
  expect((await npmRun('src/merchant/cli/migrate.ts')).output).toBe('Nothing to apply.\n');

  const second = run();
  expect(await second.exited).toBe(0);
  expect(second.output()).toMatch(new RegExp(`^It runs already, as process ${start.child.pid}\\.`));
  expect(second.output()).toContain(`${merchantUrl()}/cards/new`);

  const from = Date.now();
  start.child.kill('SIGINT');
  expect(await start.exited).toBe(0);
  expect(start.output()).toMatch(/\nStopped\.\n$/);
  expect(Date.now() - from).toBeLessThan(5 * SECONDS);
  expect(await freePort(Number(environment['PORT']))).not.toBeNull();
  expect(await freePort(Number(environment['SANDBOX_PORT']))).not.toBeNull();
  expect(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
});

test('npm run story -- all tells the six stories on it, and each ends as expected', async () => {
  await startedUp();
  const { output, code } = await npmRun('src/local/story.ts', 'all');
  expect(code).toBe(0);
  for (const name of STORY_NAMES) expect(output).toMatch(new RegExp(`^  ${name} +[\\d.]+ s  `, 'm'));
  expect(output.match(/ as expected$/gm)?.length).toBeGreaterThan(2 * STORY_NAMES.length);
  expect(output).not.toContain('different');
});

test('with LOG_FORMAT=pretty, each event is a line that people can read', async () => {
  environment['LOG_FORMAT'] = 'pretty';
  const start = await startedUp();
  expect(await createOrder()).toBe(201);
  const control = `http://localhost:${environment['SANDBOX_PORT']}/_sandbox/payments`;
  await fetch(control, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ merchant_uid: 'kept-order', amount: 1000 }),
  });
  await eventually(() => start.output().includes('told the shop'));
  start.child.kill('SIGINT');
  expect(await start.exited).toBe(0);
  const log = start.output().slice(start.output().indexOf(BANNER_END));
  expect(log).toMatch(/^\d\d:\d\d:\d\d {2}<- order kept-order +-> 201 \d+ ms$/m);
  expect(log).toMatch(/^\d\d:\d\d:\d\d {2}<- paid kept-order svc_\w+ +-> 200 recorded \d+ ms$/m);
  expect(log).toMatch(/ {2}<- sandbox GET \/payments\/svc_\S+ +-> 200 \d+ ms$/m);
  expect(log).toMatch(/ {2}-> order\.paid kept-order:1 +-> told the shop$/m);
  expect(log).not.toMatch(/^\{/m);
});

test('finds the same data after Ctrl-C, and after kill -9', async () => {
  const first = await startedUp();
  expect(await createOrder()).toBe(201);
  first.child.kill('SIGINT');
  await first.exited;

  const second = await startedUp();
  expect(await createOrder()).toBe(200);
  second.child.kill('SIGKILL');
  await second.exited;
  // The children notice it by themselves and free their ports.
  await untilPortsAreFree();

  await startedUp();
  expect(await createOrder()).toBe(200);
});

test('stops all of it when whoever started it is gone, as when npm is ended by SIGTERM', async () => {
  environment['npm_lifecycle_event'] = 'start';
  const start = await startedUp(['sh', '-c', '"$0" "$@"; exit $?']);
  start.child.kill('SIGKILL');
  // Each process that was started holds the other end of our pipes; they close with the last one.
  await start.exited;
  await untilPortsAreFree();
});

test('busy ports are all named at once, with who has them and the setting', async () => {
  const names = ['PORT', 'SANDBOX_PORT'];
  const taken = names.map((name) => createServer().listen(Number(environment[name]), '127.0.0.1'));
  await Promise.all(taken.map((server) => once(server, 'listening')));
  const start = run();
  expect(await start.exited).toBe(1);
  const sentences = names.map((name) =>
    expect.stringMatching(
      new RegExp(
        `^Port ${environment[name]} is in use by .*\\(process ${process.pid}\\): stop what listens there, or set ${name} to another port\\.$`,
      ),
    ),
  );
  expect(start.output().trim().split('\n')).toEqual(sentences);
  for (const server of taken) server.close();
});

test('a part that dies takes the others with it and is named', async () => {
  const start = await startedUp();
  const pidOfSandbox = /"pid":(\d+)[^\n]*"name":"sandbox"/.exec(start.output())?.[1];
  process.kill(Number(pidOfSandbox), 'SIGKILL');
  expect(await start.exited).toBe(1);
  expect(start.output()).toContain('The sandbox has ended: everything else is stopped.');
  await untilPortsAreFree();
});

test('a database that dies takes the others with it, and the one line that says so is no crash of the merchant', async () => {
  const start = await startedUp();
  const postmaster = readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  process.kill(Number(postmaster.split('\n')[0]), 'SIGKILL');
  expect(await start.exited).toBe(1);
  expect(start.output()).toMatch(/\nThe database has ended: everything else is stopped\.\n$/);
  expect(start.output()).not.toMatch(/"level":60|unhandled_rejection/);
  await untilPortsAreFree();
});

test("with a database and a service of one's own, starts the merchant alone and migrates the database", async () => {
  const database = await createTestDatabase();
  environment['DATABASE_URL'] = database.url;
  environment['SERVICE_BASE_URL'] = 'http://127.0.0.1:9';
  const start = await startedUp();
  expect(await createOrder()).toBe(201);
  expect(await freePort(Number(environment['SANDBOX_PORT']))).not.toBeNull();
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
  start.child.kill('SIGINT');
  expect(await start.exited).toBe(0);
  await database.drop();
});

test('in production brings nothing along: the merchant reports what is missing', async () => {
  environment['NODE_ENV'] = 'production';
  const start = run();
  expect(await start.exited).toBe(1);
  for (const name of ['DATABASE_URL', 'SERVICE_BASE_URL', 'FORM_SECRET'])
    expect(start.output()).toContain(name);
  expect(existsSync(dataDir)).toBe(false);
});

test('in production every unsafe setting is named at once, with exit code 1 and no value of a secret', async () => {
  const secrets = {
    SERVICE_KEY: 'sandbox_key',
    SERVICE_SECRET: 'sandbox_secret',
    FORM_SECRET: 'c4nary-form',
    MEMBER_SECRET: 'changeme-c4nary-member',
    API_KEY: 'c4nary key with spaces',
    OPERATOR_PASSWORD: 'c4nary-operator',
    DATABASE_URL: 'postgresql://merchant:c4nary-word@db.example.com/merchant?sslmode=prefer',
  };
  const others = {
    NODE_ENV: 'production',
    SERVICE_BASE_URL: 'http://127.0.0.1:4010',
    SERVICE_V2_BASE_URL: 'http://api.example.com',
    PUBLIC_URL: 'http://shop.example.com',
    WEBHOOK_SOURCE_ADDRESSES: '52.78.100.19,127.0.0.1',
    TRUSTED_PROXIES: '0.0.0.0/0',
  };
  Object.assign(environment, secrets, others);
  const start = run();
  expect(await start.exited).toBe(1);
  const named = [...start.output().matchAll(/^ {2}- ([A-Z0-9_]+): /gm)].map(([, name]) => name);
  const refused = Object.keys({ ...secrets, ...others }).filter((name) => name !== 'NODE_ENV');
  expect([...new Set(named)].sort()).toEqual([...refused, 'SERVICE_API_KEY'].sort());
  expect(start.output()).not.toMatch(/c4nary|sandbox_key|sandbox_secret/);
  expect(existsSync(dataDir)).toBe(false);
});

type Start = { child: ChildProcess; exited: Promise<number | null>; output: () => string };

function run(by: string[] = []): Start {
  const start = [process.execPath, '--import', 'tsx', '--enable-source-maps', 'src/local/start.ts'];
  const [command = '', ...args] = [...by, ...start];
  const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...environment } });
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
  const shown = new Promise<true>((resolve) => {
    start.child.stdout?.on('data', () => {
      if (start.output().includes(BANNER_END)) resolve(true);
    });
  });
  if ((await Promise.race([shown, start.exited])) !== true)
    throw new Error(`It did not start:\n${start.output()}`);
  return start;
}

/** A command beside a running `npm start` works on its database without any setting. */
async function npmRun(script: string, ...given: string[]): Promise<{ output: string; code: number | null }> {
  const args = ['--import', 'tsx', script, ...given];
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...environment } });
  const exited = once(child, 'exit');
  const output = await text(child.stdout);
  return { output, code: ((await exited) as [number | null])[0] };
}

/** Waits until processes that are not our children have ended: no event tells us of it. */
async function untilPortsAreFree(): Promise<void> {
  for (const name of ['PORT', 'SANDBOX_PORT'])
    await eventually(async () => (await freePort(Number(environment[name]))) !== null);
}

function merchantUrl(): string {
  return `http://localhost:${environment['PORT']}`;
}

function keptSecret(name: string): string {
  return readFileSync(join(dataDir, `${name}.secret`), 'utf8');
}

async function createOrder(): Promise<number> {
  const answer = await fetch(`${merchantUrl()}/api/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keptSecret('api-key')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ merchant_uid: 'kept-order', name: 'Kept', amount: 1000 }),
  });
  return answer.status;
}
