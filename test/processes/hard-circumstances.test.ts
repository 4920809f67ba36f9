// A process in hard circumstances: an error that nobody catches, a log that cannot be written, a database that is not there
// yet.

import { existsSync, openSync } from 'node:fs';
import { callApi } from '../support/call-api';
import { startCapturedProcess } from '../support/captured-process';
import { CARD } from '../support/cards';
import { API_KEY } from '../support/config';
import { FETCH_PAYMENT } from '../support/endpoints';
import { eventually } from '../support/eventually';
import { startMerchantProcess } from '../support/merchant-process';
import { paySilently, registerOrder } from '../support/orders';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { openRows, type Rows } from '../support/rows';
import { createSandboxControls } from '../support/sandbox-controls';
import { startSandboxProcess, type SandboxProcess } from '../support/sandbox-process';

const FULL_DISK = '/dev/full';
/** What an error of a library holds, and no log may. */
const WORDS = `${Object.values(CARD).join(' ')} ${API_KEY}`;

type Place = { database: TestDatabase; rows: Rows };
const places: Place[] = [];
let service: Promise<SandboxProcess> | undefined;

jest.setTimeout(60_000);
afterAll(async () => {
  await (await service)?.kill();
  for (const { database, rows } of places) {
    await rows.close();
    await database.drop();
  }
});

test.each([
  ['throw', 'uncaught_exception'],
  ['reject', 'unhandled_rejection'],
] as const)(
  'an error that nobody catches (%s) is one line without its words, ends the process with 1 at once, and nothing is lost (G12, J6)',
  async (how, event) => {
    const place = await openPlace();
    const { rows } = place;
    const settings = await settingsOf(place);
    const sandbox = createSandboxControls(String(settings['SERVICE_BASE_URL']));
    const merchant = await startCapturedProcess('merchant', settings);
    const uid = `in-hand-${how}`;
    await registerOrder({ api: apiOf(merchant.url) }, uid);
    const { svc_uid } = await paySilently({ sandbox }, uid);
    await sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 20_000, times: 1 });
    const before = await sandbox.requests(FETCH_PAYMENT);
    const body = JSON.stringify({ svc_uid, merchant_uid: uid, status: 'paid' });
    const headers = { 'content-type': 'application/json' };
    const notified = fetch(`${merchant.url}/webhooks/payments`, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => 'cut off',
    );
    await eventually(async () => (await sandbox.requests(FETCH_PAYMENT)) > before);

    const began = performance.now();
    expect(await merchant.crash(how, WORDS)).toBe(1);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(await notified).not.toBe(200);
    const output = merchant.output();
    const fatal = output.split('\n').filter((line) => line.includes('"level":60'));
    expect(fatal.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        level: 60,
        time: expect.any(String),
        event,
        err: { type: 'Error', at: expect.arrayContaining([expect.stringContaining('inside-process.cjs')]) },
      },
    ]);
    // Neither our line nor what Node.js would print.
    for (const word of WORDS.split(' ')) if (word.length > 2) expect(output).not.toContain(word);
    expect(output).not.toMatch(/invalid value|Node\.js v/);
    merchant.clean();

    const next = await startMerchantProcess(settings);
    const status = 'select status::text from orders';
    await eventually(async () => (await rows.query<{ status: string }>(status))[0]?.status === 'paid');
    expect(await rows.query('select svc_uid from notifications')).toEqual([{ svc_uid }]);
    expect(await next.kill('SIGINT')).toBe(0);
  },
);

(existsSync(FULL_DISK) ? describe : describe.skip)(`where there is ${FULL_DISK}`, () => {
  test('with its log on a full disk the process works on, and ends with 0 when it is told to (G14)', async () => {
    const place = await openPlace();
    const stdout = openSync(FULL_DISK, 'w');
    await worksAndStops(await startMerchantProcess(await settingsOf(place), { stdout }));
  });

  test('an error that nobody catches ends the process with 1 where its line cannot be written (G12, G14)', async () => {
    const place = await openPlace();
    const nodeFlags = ['--require', require.resolve('../support/inside-process.cjs')];
    const stdout = openSync(FULL_DISK, 'w');
    const merchant = await startMerchantProcess(await settingsOf(place), { stdout, nodeFlags });
    const began = performance.now();
    expect(await merchant.send({ ask: 'throw', text: WORDS })).toBe(1);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

test('with its log in a closed pipe the process works on, and ends with 0 (G14)', async () => {
  const place = await openPlace();
  const merchant = await startMerchantProcess(await settingsOf(place));
  merchant.closeOutput();
  await worksAndStops(merchant);
});

test('without a database and a service the process is alive and not ready, and works as soon as the database is there (G15)', async () => {
  const place = await openPlace();
  const { database, rows } = place;
  await database.setReachable(false);
  const merchant = await startMerchantProcess({
    ...(await settingsOf(place)),
    SERVICE_BASE_URL: 'http://127.0.0.1:9',
    SERVICE_V2_BASE_URL: 'http://127.0.0.1:9',
  });
  const url = `http://127.0.0.1:${merchant.port}`;
  const statusOf = async (path: string) => (await fetch(url + path)).status;
  expect(await statusOf('/healthz')).toBe(200);
  const notReady = await fetch(`${url}/readyz`);
  expect([notReady.status, await notReady.json()]).toEqual([
    503,
    { status: 'not_ready', reasons: [expect.stringMatching(/^database: /)] },
  ]);
  const order = { merchant_uid: 'early', name: 'Tea', amount: 1000 };
  const refused = await apiOf(url)('POST', '/api/orders', order);
  expect([refused.status, refused.body.error.code]).toEqual([503, 'database_unavailable']);
  await eventually(() => merchant.events('jobs_not_started').length > 0);
  expect(await statusOf('/healthz')).toBe(200);

  await database.setReachable(true);
  await eventually(async () => (await statusOf('/readyz')) === 200);
  expect((await apiOf(url)('POST', '/api/orders', order)).status).toBe(201);
  // Jobs have begun as well.
  const crontabs = 'select from graphile_worker._private_known_crontabs';
  await eventually(async () => (await rows.query(crontabs)).length > 5);
  expect(await merchant.kill('SIGINT')).toBe(0);
});

async function openPlace(): Promise<Place> {
  const database = await createTestDatabase();
  const place = { database, rows: openRows(database.url) };
  places.push(place);
  return place;
}

async function settingsOf({ database }: Place): Promise<Record<string, string>> {
  service ??= startSandboxProcess();
  const { url } = await service;
  return {
    DATABASE_URL: database.url,
    SERVICE_BASE_URL: url,
    SERVICE_V2_BASE_URL: url,
    WEBHOOK_SOURCE_ADDRESSES: '127.0.0.1',
    API_KEY,
  };
}

const apiOf = (url: string) => (method: string, path: string, body?: unknown) =>
  callApi(url, method, path, body);

/** Each answer is a line of its log. */
async function worksAndStops(merchant: Awaited<ReturnType<typeof startMerchantProcess>>): Promise<void> {
  const url = `http://127.0.0.1:${merchant.port}`;
  for (let number = 0; number < 20; number += 1) {
    const order = { merchant_uid: `logged-nowhere-${number}`, name: 'Tea', amount: 1000 };
    expect((await apiOf(url)('POST', '/api/orders', order)).status).toBe(201);
  }
  expect((await fetch(`${url}/cards/new`)).status).toBe(200);
  const began = performance.now();
  expect(await merchant.kill('SIGINT')).toBe(0);
  expect(performance.now() - began).toBeLessThan(10_000);
}
