// The sandbox as a process checks its settings, reports its port to the parent, keeps its state over kill -9, refuses writes while the
// disk is full, and stops cleanly.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programArguments } from '../support/processes';

const NODE = [process.execPath, ...programArguments('sandbox/server')];
/** In blocks of 512 bytes. Only the soft limit, so that it can be raised again. */
const WITH_SMALL_FILES = ['sh', '-c', 'ulimit -S -f 48; exec "$0" "$@"', ...NODE];
const canLimitFiles = process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0;

const started: { child: ChildProcess; exitCode: Promise<unknown> }[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-process-'));
});
afterEach(async () => {
  for (const { child, exitCode } of started.splice(0)) {
    child.kill('SIGKILL');
    await exitCode;
  }
  rmSync(folder, { recursive: true, force: true });
});

function run(environment: Record<string, string> = {}, [command = '', ...args] = NODE) {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, SANDBOX_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const exitCode = new Promise<number | null>((resolve) => child.once('exit', resolve));
  started.push({ child, exitCode });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    child,
    output: () => output,
    exitCode,
    ready: new Promise<string>((resolve) =>
      child.once('message', ({ port }: { port: number }) => resolve(`http://127.0.0.1:${port}`)),
    ),
  };
}

async function ask(url: string, body?: object, authorization = '') {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', authorization },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as any };
}
const pay = (url: string, merchant_uid: string) =>
  ask(`${url}/_sandbox/payments`, { merchant_uid, amount: 1000 });
async function signedIn(url: string) {
  const credentials = { svc_key: 'sandbox_key', svc_secret: 'sandbox_secret' };
  const { body } = await ask(`${url}/users/getToken`, credentials);
  return (path: string, fields?: object) => ask(url + path, fields, body.response.access_token as string);
}
type Call = Awaited<ReturnType<typeof signedIn>>;

test('tells its parent the port, keeps its payments over kill -9, and stops on SIGTERM with code 0', async () => {
  const killed = run({ SANDBOX_DATA_DIR: folder });
  const { svc_uid } = (await pay(await killed.ready, 'order-1')).body;
  killed.child.kill('SIGKILL');
  await killed.exitCode;

  const again = run({ SANDBOX_DATA_DIR: folder });
  const call = await signedIn(await again.ready);
  expect((await call(`/payments/${svc_uid}`)).body.response.svc_uid).toBe(svc_uid);
  again.child.kill('SIGTERM');
  expect(await again.exitCode).toBe(0);
  expect(JSON.parse(again.output())).toMatchObject({ msg: 'ready', url: await again.ready });
});

test('O12 a second sandbox in the same folder ends with a sentence, and starts once the first has stopped', async () => {
  const first = run({ SANDBOX_DATA_DIR: folder });
  const url = await first.ready;
  const { svc_uid } = (await pay(url, 'order-1')).body;
  const second = run({ SANDBOX_DATA_DIR: folder });
  expect(await second.exitCode).toBe(1);
  expect(second.output()).toContain(`${folder} is in use by process ${first.child.pid}, which runs at `);
  expect(second.output()).toContain('set SANDBOX_DATA_DIR to another folder.');

  first.child.kill('SIGTERM');
  const third = run({ SANDBOX_DATA_DIR: folder });
  const call = await signedIn(await third.ready);
  expect((await call(`/payments/${svc_uid}`)).status).toBe(200);
});

test('exits with 1 and every problem where a setting cannot be used', async () => {
  const { exitCode, output } = run({ SANDBOX_HOST: '0.0.0.0', SERVICE_NAME_PREFIX: 'A b' });
  expect(await exitCode).toBe(1);
  expect(output()).toMatch(/SANDBOX_HOST must be a loopback address/);
  expect(output()).toMatch(/SERVICE_NAME_PREFIX must be/);
});

(canLimitFiles ? test : test.skip)(
  'refuses with a 507 what has no room, and goes on when there is room again; nothing is half-written',
  async () => {
    const full = run({ SANDBOX_DATA_DIR: folder }, WITH_SMALL_FILES);
    const url = await full.ready;
    const call = await signedIn(url);
    const paid: string[] = [];
    let answer = await pay(url, 'order');
    for (; answer.status === 200; answer = await pay(url, 'order')) paid.push(answer.body.svc_uid);
    expect(paid.length).toBeGreaterThan(10);
    const message = expect.stringContaining('the data folder of the sandbox cannot be written');
    expect(answer).toEqual({ status: 507, body: { code: -1, message, response: null } });

    // What needs no room is served; what was refused has not happened.
    for (let number = 0; number < 40; number += 1) await pay(url, 'refused');
    const made = await totalOf(call);
    expect((await call(`/payments/${paid.at(-1)}`)).status).toBe(200);

    spawnSync('prlimit', ['--pid', String(full.child.pid), '--fsize=unlimited']);
    expect((await pay(url, 'after')).status).toBe(200);
    full.child.kill('SIGKILL');
    await full.exitCode;
    const callAgain = await signedIn(await run({ SANDBOX_DATA_DIR: folder }).ready);
    expect(await totalOf(callAgain)).toBe(made + 1);
    for (const svcUid of paid) expect((await callAgain(`/payments/${svcUid}`)).status).toBe(200);
  },
);

const totalOf = async (call: Call) => (await call('/payments/status/all?limit=1')).body.response.total;
