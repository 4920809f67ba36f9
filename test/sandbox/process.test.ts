// The sandbox as a process checks its settings, tells its parent the port, keeps its state over kill -9 and stops
// cleanly.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/sandbox/read-config';
import { eventually } from '../support/eventually';

const SERVER = join(__dirname, '../../src/sandbox/server.ts');
const started: ChildProcess[] = [];
afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')));

function run(environment: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', 'tsx', SERVER], {
    env: { PATH: process.env.PATH, SANDBOX_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  started.push(child);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('exit', (code) => resolve({ code, output })),
  );
  const ready = new Promise<string>((resolve) =>
    child.once('message', (message: { type: string; port: number }) =>
      resolve(`http://127.0.0.1:${message.port}`),
    ),
  );
  return { child, exited, ready };
}

test('tells its parent the port, keeps its payments over kill -9, and stops on SIGTERM with code 0', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-process-'));
  const killed = run({ SANDBOX_DATA_DIR: folder });
  const paid = await fetch(`${await killed.ready}/_sandbox/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ merchant_uid: 'order-1', amount: 1000 }),
  });
  const { svc_uid } = (await paid.json()) as { svc_uid: string };
  killed.child.kill('SIGKILL');
  await killed.exited;

  const again = run({ SANDBOX_DATA_DIR: folder });
  const notify = await fetch(`${await again.ready}/_sandbox/payments/${svc_uid}/notify`, { method: 'POST' });
  expect(notify.status).toBe(200);
  again.child.kill('SIGTERM');
  const { code, output } = await again.exited;
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({
    level: 30,
    msg: 'ready',
    url: expect.stringContaining('127.0.0.1'),
  });
  rmSync(folder, { recursive: true });
});

test('lets an answer under way end before it stops', async () => {
  const { child, ready, exited } = run({});
  const url = await ready;
  await fetch(`${url}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint: 'GET /payments', times: 1, kind: 'delay', delay_ms: 300 }),
  });
  const answer = fetch(`${url}/payments`);
  await eventually(async () => (await (await fetch(`${url}/_sandbox/faults`)).text()) === '{"faults":[]}');
  child.kill('SIGTERM');
  expect((await answer).status).toBe(401);
  expect((await exited).code).toBe(0);
});

test('ends when the process that started it is gone', async () => {
  const { child, ready, exited } = run({});
  await ready;
  child.disconnect();
  expect((await exited).code).toBe(0);
});

test('exits with 1 and every problem where a setting cannot be used', async () => {
  const { exited } = run({ SANDBOX_HOST: '0.0.0.0', SERVICE_NAME_PREFIX: 'A b' });
  const { code, output } = await exited;
  expect(code).toBe(1);
  expect(output).toMatch(/SANDBOX_HOST must be a loopback address/);
  expect(output).toMatch(/SERVICE_NAME_PREFIX must be/);
});

describe('settings', () => {
  test('have the documented defaults', () => {
    expect(readConfig({})).toMatchObject({
      port: 4010,
      host: '127.0.0.1',
      serviceKey: 'sandbox_key',
      serviceSecret: 'sandbox_secret',
      apiKey: 'sandbox_api_key',
      namePrefix: 'svc',
      dataDir: undefined,
      webhookUrl: undefined,
    });
  });

  test.each([
    [{ NODE_ENV: 'production' }, 'NODE_ENV'],
    [{ SANDBOX_PORT: '70000' }, 'SANDBOX_PORT'],
    [{ SANDBOX_PORT: 'http' }, 'SANDBOX_PORT'],
    [{ SANDBOX_HOST: '192.168.0.1' }, 'SANDBOX_HOST'],
    [{ SERVICE_SECRET: '' }, 'SERVICE_SECRET'],
    [{ SANDBOX_WEBHOOK_URL: 'localhost' }, 'SANDBOX_WEBHOOK_URL'],
  ])('refuse %j', (environment, name) => {
    expect(() => readConfig(environment)).toThrow(name);
  });

  test('let a container listen on every address, as its port is published by whoever runs it', () => {
    const inContainer = { SANDBOX_IN_CONTAINER: 'true', SANDBOX_HOST: '0.0.0.0' };
    expect(readConfig(inContainer).host).toBe('0.0.0.0');
    expect(() => readConfig({ ...inContainer, SANDBOX_IN_CONTAINER: 'false' })).toThrow('SANDBOX_HOST');
  });

  test('take each loopback address', () => {
    for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
      expect(readConfig({ SANDBOX_HOST: host }).host).toBe(host);
  });
});
