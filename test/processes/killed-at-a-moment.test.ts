// A real merchant process is killed with `kill -9` at the moments of rows G1 to G4 and G6 of docs/faults.md, and stands still
// at that of G13: a place between it and its database lets a statement through, or holds it back, until it is dead.

import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from '../support/call-api';
import { CARD_FORM } from '../support/cards';
import { FETCH_PAYMENT, FIND_KEYS, ISSUE_KEY } from '../support/endpoints';
import { eventually } from '../support/eventually';
import { createMemberBrowser } from '../support/member-browser';
import { FILL_IN_MS, type MerchantProcess } from '../support/merchant-process';
import { paySilently, registerOrder } from '../support/orders';
import { startStatementProxy, type StatementProxy } from '../support/statement-proxy';
import { useSurroundings } from '../support/use-surroundings';
import { SERVICE_ADDRESS } from '../support/world';

const around = useSurroundings();
let proxy: StatementProxy;
let merchant: MerchantProcess;
const cookies = new Map<string, string>();
let form: { customer_uid: string; form_token: string };
let openedMs: number;

jest.setTimeout(60_000);

beforeAll(async () => {
  await around.holdReconciliation();
  proxy = await startStatementProxy(around.database.url);
  merchant = await start();
  form = await createMemberBrowser({ url: `http://127.0.0.1:${merchant.port}` }, cookies).openForm();
  openedMs = performance.now();
});
afterAll(async () => {
  await proxy?.close();
});

test('G2 killed after the notification is stored and before its answer: the row is due after a minute and is worked off, and a resend changes nothing', async () => {
  const svcUid = await payOrder('stored');
  const fetches = await around.sandbox.requests(FETCH_PAYMENT);
  const killed = killAt('after', 'store-notifications');
  expect(await notify(svcUid, 'stored')).toBeNull();
  await killed;
  expect(await open('stored')).toEqual([{ outcome: null, seconds: 60 }]);
  expect(await around.sandbox.requests(FETCH_PAYMENT)).toBe(fetches);

  await minutePasses();
  merchant = await start();
  await expectPaidOnce('stored', svcUid);
  expect(await notify(svcUid, 'stored')).toEqual({ status: 200, outcome: 'unchanged' });
  await expectPaidOnce('stored', svcUid);
});

test('G3 killed during the fetch: the notification is due after a minute, and whichever process is there fetches again', async () => {
  const svcUid = await payOrder('fetching');
  const fetches = await around.sandbox.requests(FETCH_PAYMENT);
  await around.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 5_000, times: 1 });
  const unanswered = notify(svcUid, 'fetching');
  await eventually(async () => (await around.sandbox.requests(FETCH_PAYMENT)) > fetches);
  await merchant.kill('SIGKILL');
  expect(await unanswered).toBeNull();
  expect(await open('fetching')).toEqual([{ outcome: null, seconds: 60 }]);

  await minutePasses();
  merchant = await start();
  await expectPaidOnce('fetching', svcUid);
  expect(await around.sandbox.requests(FETCH_PAYMENT)).toBe(fetches + 2);
});

test('G4 killed between the fetch of a notification and its write: nothing of it is written, it is done again, and there is one payment', async () => {
  const svcUid = await payOrder('fetched');
  const fetches = await around.sandbox.requests(FETCH_PAYMENT);
  const killed = killAt('before', 'write-verdicts');
  expect(await notify(svcUid, 'fetched')).toBeNull();
  await killed;
  expect(await around.sandbox.requests(FETCH_PAYMENT)).toBe(fetches + 1);
  expect(await open('fetched')).toEqual([{ outcome: null, seconds: 60 }]);
  expect(await orderOf('fetched')).toEqual([{ status: 'open', version: 0 }]);
  expect(await around.rows.query('select from payments where svc_uid = $1', [svcUid])).toEqual([]);

  await minutePasses();
  merchant = await start();
  await expectPaidOnce('fetched', svcUid);
});

test('G6 killed after the row of an issuance and before its call: the key is polled for, not found, and has failed, and nothing was issued', async () => {
  // The form was opened at the first process. As long as a person needs at least has passed since.
  await pause(Math.max(0, openedMs + FILL_IN_MS - performance.now()));
  const member = createMemberBrowser({ url: `http://127.0.0.1:${merchant.port}` }, cookies);
  const killed = killAt('after', 'start-issuance');
  await expect(member.post('/cards', { ...form, ...CARD_FORM })).rejects.toThrow();
  await killed;
  const statusOfKey = () =>
    around.rows.query(
      `select k.status as key, i.status as issuance, i.not_found_polls as misses
       from billing_keys k join billing_key_issuances i using (customer_uid) where customer_uid = $1`,
      [form.customer_uid],
    );
  expect(await statusOfKey()).toEqual([{ key: 'pending', issuance: 'pending', misses: 0 }]);

  // A call may show late, for ten minutes.
  await around.rows.query(`update billing_key_issuances set started_at = started_at - interval '11 minutes'`);
  const lookUps = await around.sandbox.requests(FIND_KEYS);
  merchant = await start();
  await eventually(async () => {
    // What is due later is due now, and the engine looks for it.
    await around.rows.query(
      `update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null`,
    );
    await around.rows.query(`select graphile_worker.add_job('recover-unresolved-attempts')`);
    return (await statusOfKey())[0]?.['key'] === 'failed';
  });
  expect(await statusOfKey()).toEqual([{ key: 'failed', issuance: 'declined', misses: expect.any(Number) }]);
  expect((await around.sandbox.requests(FIND_KEYS)) - lookUps).toBeGreaterThanOrEqual(3);
  expect(await around.sandbox.requests(ISSUE_KEY)).toBe(0);
});

test('G13 a process that stands still does not answer /readyz, and what it had fetched before does not overwrite what another one has written', async () => {
  const svcUid = await payOrder('still');
  const other = await start();
  try {
    const fetches = await around.sandbox.requests(FETCH_PAYMENT);
    await around.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 500, times: 1 });
    const late = notify(svcUid, 'still');
    await eventually(async () => (await around.sandbox.requests(FETCH_PAYMENT)) > fetches);
    process.kill(merchant.pid, 'SIGSTOP');
    const isReady = (port: number) =>
      fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(1_000) }).then(
        ({ status }) => status,
        () => null,
      );
    // Its answer, "paid", waits in the socket meanwhile.
    expect(await isReady(merchant.port)).toBeNull();
    expect(await isReady(other.port)).toBe(200);
    await around.sandbox.call('POST', `/payments/${svcUid}/cancel`, {});
    expect(await notify(svcUid, 'still', other, 'cancelled')).toEqual({ status: 200, outcome: 'recorded' });
    process.kill(merchant.pid, 'SIGCONT');
    expect(await late).toMatchObject({ status: 200 });
    expect(await around.rows.query('select status from payments where svc_uid = $1', [svcUid])).toEqual([
      { status: 'cancelled' },
    ]);
    expect(await orderOf('still')).toEqual([{ status: 'cancelled', version: 1 }]);
    expect(await isReady(merchant.port)).toBe(200);
  } finally {
    process.kill(merchant.pid, 'SIGCONT');
    await other.kill('SIGKILL');
  }
});

test('G1 killed before the notification is stored: there is no row, its sender has no answer, and reconciliation finds the payment', async () => {
  const svcUid = await payOrder('unseen');
  const killed = killAt('before', 'store-notifications');
  expect(await notify(svcUid, 'unseen')).toBeNull();
  await killed;
  expect(await open('unseen')).toEqual([]);
  expect(await orderOf('unseen')).toEqual([{ status: 'open', version: 0 }]);

  await around.allowReconciliation();
  merchant = await start();
  await expectPaidOnce('unseen', svcUid);
  expect(await around.rows.query(`select from notifications where merchant_uid = 'unseen'`)).toEqual([]);
});

/** Kills the merchant at a statement of this name. Resolves when it is dead, and statements pass again. */
async function killAt(when: 'before' | 'after', statement: string): Promise<void> {
  await new Promise<void>((resolve) => proxy.stopAt(when, statement, resolve));
  await merchant.kill('SIGKILL');
  proxy.stopAfter(Number.POSITIVE_INFINITY, () => undefined);
}

/** An order that was paid at the service, which has sent no notification yet. */
async function payOrder(merchantUid: string): Promise<string> {
  const api = (method: string, path: string, body?: unknown) =>
    callApi(`http://127.0.0.1:${merchant.port}`, method, path, body);
  await registerOrder({ api }, merchantUid);
  return (await paySilently(around, merchantUid)).svc_uid;
}

/** Null where the connection breaks before the answer. */
function notify(
  svcUid: string,
  merchantUid: string,
  { port } = merchant,
  status = 'paid',
): Promise<{ status: number; outcome: string } | null> {
  return fetch(`http://127.0.0.1:${port}/webhooks/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': SERVICE_ADDRESS },
    body: JSON.stringify({ svc_uid: svcUid, merchant_uid: merchantUid, status }),
  }).then(
    async (answer) => ({ status: answer.status, ...((await answer.json()) as { outcome: string }) }),
    () => null,
  );
}

/** Notifications of an order, with the time from their arrival to their next attempt. */
const open = (merchantUid: string) =>
  around.rows.query(
    `select outcome, extract(epoch from next_attempt_at - received_at)::int as seconds
     from notifications where merchant_uid = $1`,
    [merchantUid],
  );

/** A minute is not waited for: the rows become older by one. What is not due by itself does not become it. */
const minutePasses = () =>
  around.rows.query(
    `update notifications set received_at = received_at - interval '1 minute',
       next_attempt_at = next_attempt_at - interval '1 minute'`,
  );

const orderOf = (merchantUid: string) =>
  around.rows.query('select status, version from orders where merchant_uid = $1', [merchantUid]);

async function expectPaidOnce(merchantUid: string, svcUid: string): Promise<void> {
  await around.rows.waitFor(`select 1 from orders where merchant_uid = $1 and status = 'paid'`, [
    merchantUid,
  ]);
  expect(await orderOf(merchantUid)).toEqual([{ status: 'paid', version: 1 }]);
  expect(
    await around.rows.query('select svc_uid from payments where merchant_uid = $1', [merchantUid]),
  ).toEqual([{ svc_uid: svcUid }]);
}

function start(): Promise<MerchantProcess> {
  return around.startMerchant({ DATABASE_URL: proxy.url, LOG_LEVEL: 'warn' });
}
