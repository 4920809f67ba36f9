// The programs as processes, as `npm start` runs them: they come up, an order is paid, Ctrl-C stops all of them, and the data stays.
// start.test.ts has what else can happen to it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/local/postgres/embedded-postgres';
import { freePort } from '../../src/local/postgres/free-port';
import { eventually } from '../support/eventually';
import { queryOnce } from '../support/rows';

const ROOT = join(__dirname, '..', '..');
const BANNER_END = 'the next start finds the same data';

test('npm start starts database, sandbox and merchant, an order is paid, and Ctrl-C stops all of them and keeps the data', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  const dataDir = join(folder, 'data');
  const [port, sandboxPort] = [await quietPort(), await quietPort()];
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/local/start.ts'], {
    cwd: ROOT,
    // A blank setting counts as not set, and overrides a developer's own .env.
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: '',
      DATABASE_URL: '',
      SERVICE_BASE_URL: '',
      API_KEY: '',
      PORT: port,
      SANDBOX_PORT: sandboxPort,
      DATA_DIR: dataDir,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  const exited = once(child, 'close');
  try {
    await eventually(() => output.includes(BANNER_END) || child.exitCode !== null);
    expect(output).toContain(`http://localhost:${port}/api`);

    const key = readFileSync(join(dataDir, 'api-key.secret'), 'utf8');
    const merchant = `http://localhost:${port}/api/orders`;
    const order = { merchant_uid: 'order-1', name: 'Tea', amount: 1000 };
    expect((await post(merchant, order, key)).status).toBe(201);
    await post(`http://localhost:${sandboxPort}/_sandbox/payments`, {
      merchant_uid: 'order-1',
      amount: 1000,
    });
    const authorization = `Bearer ${key}`;
    await eventually(async () => {
      const answer = await fetch(`${merchant}/order-1`, { headers: { authorization } });
      return ((await answer.json()) as { status: string }).status === 'paid';
    });
  } finally {
    child.kill('SIGINT');
  }
  expect((await exited)[0]).toBe(0);
  expect(output).toMatch(/\nStopped\.\n$/);
  for (const each of [port, sandboxPort]) expect(await freePort(Number(each))).toBe(Number(each));
  expect(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
  expect(await keptOrders(join(dataDir, 'postgres'))).toEqual([{ merchant_uid: 'order-1', status: 'paid' }]);
  rmSync(folder, { recursive: true });
});

/** As the database of the next start has them. */
async function keptOrders(dataDirOfPostgres: string): Promise<object[]> {
  const postgres = await startEmbeddedPostgres({ dataDir: dataDirOfPostgres, ports: [0] });
  try {
    return await queryOnce(postgres.url('merchant'), 'select merchant_uid, status from orders');
  } finally {
    await postgres.stop();
  }
}

/** A free port below those that the system uses for the connections of other tests. */
async function quietPort(): Promise<string> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if ((await freePort(port)) !== null) return String(port);
  }
}

function post(url: string, body: object, key = ''): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
