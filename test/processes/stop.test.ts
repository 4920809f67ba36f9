// How a process ends: at SIGTERM the balancer in front is told before anything is closed, and whatever a client does, the
// end comes. The process has the clock of the host; the stories run side by side because they wait.

import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Client } from 'pg';
import { callApi } from '../support/call-api';
import { API_KEY } from '../support/config';
import { FETCH_PAYMENT, LIST_PAYMENTS } from '../support/endpoints';
import { eventually } from '../support/eventually';
import { holdReconciliation } from '../support/hold-reconciliation';
import { startMerchantProcess, type MerchantProcess } from '../support/merchant-process';
import { paySilently, registerOrder } from '../support/orders';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { openRows, type Rows } from '../support/rows';
import { createSandboxControls, type SandboxControls } from '../support/sandbox-controls';
import { startSandboxProcess, type SandboxProcess } from '../support/sandbox-process';

type Setting = {
  database: TestDatabase;
  rows: Rows;
  service: SandboxProcess;
  sandbox: SandboxControls;
  reconcile(): Promise<void>;
};

const merchants: MerchantProcess[] = [];
let setting: Promise<Setting> | undefined;

jest.setTimeout(60_000);
afterAll(async () => {
  await Promise.all(merchants.map((merchant) => merchant.kill('SIGKILL')));
  const { database, rows, service, reconcile } = await settingOf();
  await reconcile();
  await service.kill();
  await rows.close();
  await database.drop();
});

test.concurrent(
  'SIGTERM during a request: not ready, requests are taken for some seconds, the one under way is answered, exit code 0 within 25 s (G9)',
  async () => {
    const { rows, sandbox } = await settingOf();
    const merchant = await startMerchant();
    const slow = await payOrder(merchant, 'under-way');
    const late = await payOrder(merchant, 'while-stopping');
    const before = await sandbox.requests(FETCH_PAYMENT);
    // Longer than the server goes on to listen.
    await sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 7_000, times: 1 });
    const underWay = notify(merchant, slow, 'under-way');
    await eventually(async () => (await sandbox.requests(FETCH_PAYMENT)) > before);

    const began = performance.now();
    const ended = merchant.kill('SIGTERM');
    await eventually(async () => (await readyz(merchant)).status === 503);
    const verdict = await readyz(merchant);
    expect(JSON.parse(verdict.body)).toEqual({ status: 'not_ready', reasons: ['draining'] });
    expect(verdict.connection).toBe('close');
    expect(await notify(merchant, late, 'while-stopping')).toMatchObject({
      status: 200,
      connection: 'close',
    });

    expect(await underWay).toMatchObject({
      status: 200,
      body: expect.stringContaining('"outcome":"recorded"'),
    });
    expect(performance.now() - began).toBeGreaterThan(5_000);
    expect(await ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(25_000);
    await expect(readyz(merchant)).rejects.toThrow('ECONNREFUSED');
    const paid = `select merchant_uid from orders where status = 'paid' order by merchant_uid`;
    expect(await rows.query(paid)).toEqual([
      { merchant_uid: 'under-way' },
      { merchant_uid: 'while-stopping' },
    ]);
  },
);

test.concurrent(
  'a stop closes an idle connection at once, and one with a half-sent body by force at its deadline (G10)',
  async () => {
    const merchant = await startMerchant();
    const idle = await connected(merchant);
    idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(idle, 'data');
    const silent = await connected(merchant);
    const halfSent = await connected(merchant);
    halfSent.write('POST /api/orders HTTP/1.1\r\nHost: localhost\r\n');
    halfSent.write(
      `Authorization: Bearer ${API_KEY}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
    );

    // Answered after what was half sent has arrived: it is older.
    expect((await readyz(merchant)).status).toBe(200);
    const began = performance.now();
    const ended = merchant.kill('SIGINT');
    // Nothing was ever sent over the second.
    await Promise.all([once(idle, 'close'), once(silent, 'close')]);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(halfSent.closed).toBe(false);
    expect(await ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(20_000);
  },
);

test.concurrent('a second SIGTERM ends the process at once, with a code other than 0 (G11)', async () => {
  const merchant = await startMerchant();
  const ended = merchant.kill('SIGTERM');
  await eventually(async () => (await readyz(merchant)).status === 503);
  const began = performance.now();
  await merchant.kill('SIGTERM');
  expect(await ended).toBe(1);
  // A stop that is cut off ends with 1 as well, but after 25 s.
  expect(performance.now() - began).toBeLessThan(10_000);
});

test.concurrent(
  'SIGTERM with a call that hangs, a job in hand, a statement that waits for a lock and an open connection: exit code 0 within 25 s',
  async () => {
    const { sandbox } = await settingOf();
    // Of its own: another process would publish the event for the targets that it has itself.
    const database = await createTestDatabase();
    const rows = openRows(database.url);
    const reconcile = await holdReconciliation(database.url);
    const events = await startSilentReceiver();
    const merchant = await startMerchant({
      DATABASE_URL: database.url,
      ORDER_EVENTS_URL: events.url,
      ORDER_EVENTS_SECRET: EVENTS_SECRET,
    });
    // A fetch of a payment would be the one that another story has delayed.
    await payOrder(merchant, 'told-to-nobody');
    const key = { authorization: `Bearer ${API_KEY}` };
    const told = await ask(merchant, 'POST', '/api/orders/told-to-nobody/close', '{}', key);
    expect(told.status).toBe(200);
    // The job that posts the event has nobody who answers it.
    await eventually(() => events.connections() > 0);

    await payOrder(merchant, 'locked');
    const locking = new Client({ connectionString: database.url });
    await locking.connect();
    await locking.query(`begin; select from orders where merchant_uid = 'locked' for update`);
    const waits = ask(merchant, 'POST', '/api/orders/locked/close', '{}', key);
    const before = await sandbox.requests(LIST_PAYMENTS);
    await sandbox.fault({ endpoint: LIST_PAYMENTS, kind: 'delay', delay_ms: 60_000, times: 1 });
    const hangs = ask(merchant, 'GET', '/api/payments?status=paid', undefined, key);
    await eventually(async () => (await sandbox.requests(LIST_PAYMENTS)) > before);
    const open = await connected(merchant);

    const began = performance.now();
    const code = await merchant.kill('SIGTERM');
    const tookMs = performance.now() - began;
    await locking.query('rollback');
    await locking.end();
    open.destroy();
    events.close();
    expect([code, tookMs < 25_000]).toEqual([0, true]);
    expect((await waits).status).toBe(503);
    expect((await hangs).status).toBe(503);
    // The event is not lost.
    const undelivered = `select event_id from event_deliveries where delivered_at is null`;
    expect(await rows.query(undelivered)).not.toEqual([]);
    const held = 'select id from graphile_worker._private_jobs where locked_at is not null';
    expect(await rows.query(held)).toEqual([]);
    await reconcile();
    await rows.close();
    await database.drop();
  },
);

/**
 * Concurrent tests begin before `beforeAll` has ended. The sandbox is a process of its own, and nothing reconciles: a
 * fetch by another process would be the one that is delayed.
 */
function settingOf(): Promise<Setting> {
  setting ??= (async () => {
    const [database, service] = await Promise.all([createTestDatabase(), startSandboxProcess()]);
    const reconcile = await holdReconciliation(database.url);
    const sandbox = createSandboxControls(service.url);
    return { database, service, rows: openRows(database.url), sandbox, reconcile };
  })();
  return setting;
}

async function startMerchant(more: Record<string, string> = {}): Promise<MerchantProcess> {
  const { database, service } = await settingOf();
  const merchant = await startMerchantProcess({
    DATABASE_URL: database.url,
    SERVICE_BASE_URL: service.url,
    SERVICE_V2_BASE_URL: service.url,
    WEBHOOK_SOURCE_ADDRESSES: '127.0.0.1',
    API_KEY,
    ...more,
  });
  merchants.push(merchant);
  return merchant;
}

async function payOrder({ port }: MerchantProcess, merchantUid: string): Promise<string> {
  const { sandbox } = await settingOf();
  const api = (method: string, path: string, body?: unknown) =>
    callApi(`http://127.0.0.1:${port}`, method, path, body);
  await registerOrder({ api }, merchantUid);
  return (await paySilently({ sandbox }, merchantUid)).svc_uid;
}

const readyz = (merchant: MerchantProcess) => ask(merchant, 'GET', '/readyz');
const notify = (merchant: MerchantProcess, svcUid: string, merchantUid: string) =>
  ask(
    merchant,
    'POST',
    '/webhooks/payments',
    JSON.stringify({ svc_uid: svcUid, merchant_uid: merchantUid, status: 'paid' }),
  );

type Answer = { status: number; connection: string | undefined; body: string };

/** On a connection that the client would keep. */
function ask(
  { port }: MerchantProcess,
  method: string,
  path: string,
  body?: string,
  more: Record<string, string> = {},
): Promise<Answer> {
  const agent = new Agent({ keepAlive: true });
  return new Promise<Answer>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...more };
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection, body: text }),
      );
    });
    outgoing.on('error', reject).end(body);
  }).finally(() => agent.destroy());
}

async function connected({ port }: MerchantProcess) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Takes connections and says nothing. */
async function startSilentReceiver() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined).resume();
  }).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    connections: () => connections,
    close: () => void server.close(),
  };
}

const EVENTS_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
