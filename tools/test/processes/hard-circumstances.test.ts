// A process under adverse conditions: an uncaught error, a log that cannot be written, a database that is not available yet.

import { existsSync, openSync } from 'node:fs';
import { CARD } from '../../../test/support/cards';
import { API_KEY } from '../../../test/support/config';
import { eventually } from '../../../test/support/eventually';
import { FETCH_PAYMENT } from '../../../test/support/sandbox-controls';
import { useFreshSurroundings, type Merchant } from '../../../test/support/use-surroundings';
import { SERVICE_ADDRESS } from '../../../test/support/world';
import { startCapturedProcess } from '../../proof/captured-process';

const FULL_DISK = '/dev/full';
/** Words in the error of a library, which must not be in a log. */
const WORDS = `${Object.values(CARD).join(' ')} ${API_KEY}`;
const ORDER = { merchant_uid: 'order-1', name: 'Tea', amount: 1000 };

const around = useFreshSurroundings();

const FATAL = [
  ['throw', 'uncaught_exception'],
  ['reject', 'unhandled_rejection'],
] as const;

test('an uncaught error, thrown or in a promise, is logged without its message and ends the process with 1, and nothing is lost (G12, J6)', async () => {
  const { rows, environment } = around;
  for (const [how, event] of FATAL) {
    const merchant = await startCapturedProcess('merchant', environment);
    await expectAllPaid();
    const { answer } = await notifyWithoutEnd(merchant.url, how);
    expect(await merchant.crash(how, WORDS)).toBe(1);
    // At once, without waiting for the answer of the service.
    expect(await answer).not.toBe(200);
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
    // Neither in our line nor in the output of Node.js.
    for (const word of WORDS.split(' ')) if (word.length > 2) expect(output).not.toContain(word);
    expect(output).not.toMatch(/invalid value|Node\.js v/);
    for (const name of merchant.files().keys()) expect(name).not.toMatch(/^core|heapsnapshot|^report\./);
    merchant.clean();
  }
  const last = await around.startMerchant();
  await expectAllPaid();
  expect(await rows.query('select merchant_uid from notifications order by 1')).toEqual([
    { merchant_uid: 'reject' },
    { merchant_uid: 'throw' },
  ]);
  expect(await last.kill('SIGINT')).toBe(0);
});

(existsSync(FULL_DISK) ? describe : describe.skip)(`where there is ${FULL_DISK}`, () => {
  test('a process whose log is on a full disk keeps working and stops with 0 (G14)', async () => {
    await worksAndStops(await around.startMerchant({}, { stdout: openSync(FULL_DISK, 'w') }));
  });

  test('an uncaught error ends the process with 1 when its line cannot be written (G12, G14)', async () => {
    const nodeFlags = ['--require', require.resolve('../../proof/inside-process.cjs')];
    const merchant = await around.startMerchant({}, { stdout: openSync(FULL_DISK, 'w'), nodeFlags });
    expect(await merchant.send({ ask: 'throw', text: WORDS })).toBe(1);
  });
});

test('a process whose log is a closed pipe keeps working and stops with 0 (G14)', async () => {
  const merchant = await around.startMerchant();
  merchant.closeOutput();
  await worksAndStops(merchant);
});

test('a process without a database and a service is alive but not ready, and works once it has the database (G15)', async () => {
  const { database, rows } = around;
  await database.setReachable(false);
  const nowhere = 'http://127.0.0.1:9';
  const merchant = await around.startMerchant({ SERVICE_BASE_URL: nowhere, SERVICE_V2_BASE_URL: nowhere });
  const statusOf = async (path: string) => (await fetch(merchant.url + path)).status;
  expect(await statusOf('/healthz')).toBe(200);
  const notReady = await fetch(`${merchant.url}/readyz`);
  expect([notReady.status, await notReady.json()]).toEqual([
    503,
    { status: 'not_ready', reasons: [expect.stringMatching(/^database: /)] },
  ]);
  const refused = await merchant.api('POST', '/api/orders', ORDER);
  expect([refused.status, refused.body.error.code]).toEqual([503, 'database_unavailable']);
  await eventually(() => merchant.events('jobs_not_started').length > 0);

  await database.setReachable(true);
  await eventually(async () => (await statusOf('/readyz')) === 200);
  expect((await merchant.api('POST', '/api/orders', ORDER)).status).toBe(201);
  // Jobs have begun as well.
  const crontabs = 'select from graphile_worker._private_known_crontabs';
  await eventually(async () => (await rows.query(crontabs)).length > 5);
  expect(await merchant.kill('SIGINT')).toBe(0);
});

/** Each answer is a line of its log. */
async function worksAndStops(merchant: Merchant): Promise<void> {
  for (let number = 0; number < 20; number += 1) {
    const order = { ...ORDER, merchant_uid: `logged-nowhere-${number}` };
    expect((await merchant.api('POST', '/api/orders', order)).status).toBe(201);
  }
  expect((await fetch(`${merchant.url}/cards/new`)).status).toBe(200);
  expect(await merchant.kill('SIGINT')).toBe(0);
}

/** The process has stored the notification of a paid order, and waits for the service. Returns the status of its answer. */
async function notifyWithoutEnd(url: string, merchantUid: string): Promise<{ answer: Promise<unknown> }> {
  const { rows, sandbox } = around;
  await rows.query(
    `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
     values ($1, 'Tea', 1000, 'KRW', now(), now())`,
    [merchantUid],
  );
  const { svc_uid } = await sandbox.pay({ merchant_uid: merchantUid, amount: 1000, notify: false });
  await sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 60_000, times: 1 });
  const before = await sandbox.requests(FETCH_PAYMENT);
  const answer = fetch(`${url}/webhooks/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': SERVICE_ADDRESS },
    body: JSON.stringify({ svc_uid, merchant_uid: merchantUid, status: 'paid' }),
  }).then(
    ({ status }) => status,
    () => 'cut off',
  );
  await eventually(async () => (await sandbox.requests(FETCH_PAYMENT)) > before);
  return { answer };
}

/** The work of a dead process is due after a minute. The test changes the rows instead of waiting. */
async function expectAllPaid(): Promise<void> {
  const { rows } = around;
  await rows.query('update notifications set next_attempt_at = now() where next_attempt_at is not null');
  await rows.query(`select graphile_worker.add_job('retry-due-notifications')`);
  await rows.waitFor(`select where not exists (select from orders where status <> 'paid')`);
}
