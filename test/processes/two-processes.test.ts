// Two merchant processes on one database behind a real nginx give the same results as one. Duplicates at both are recorded once, each
// process completes the interrupted work of the other, and they share the counts of card attempts. They use the host's clock, so
// these tests wait.

import { setTimeout as pause } from 'node:timers/promises';
import { createMemberBrowser } from '../support/browsers';
import { CARD_FORM } from '../support/cards';
import { eventually } from '../support/eventually';
import { withCardForm } from '../support/keys';
import { describeWithNginx, startNginx, type Nginx } from '../support/nginx';
import { FILL_IN_MS } from '../support/processes';
import { send } from '../support/raw-http';
import { FETCH_PAYMENT, ISSUE_KEY, TOKEN } from '../support/sandbox-controls';
import { useSurroundings, type Merchant } from '../support/use-surroundings';
import { SERVICE_ADDRESS } from '../support/world';

/** On loopback a sender can choose its address, so that nginx sees a real one. */
const SERVICE = '127.0.0.2';

const around = useSurroundings();
let merchants: [Merchant, Merchant];
let nginx: Nginx;

beforeAll(async () => {
  // The test holds the lock of reconciliation, so that only notifications and their retries store payments.
  await around.holdReconciliation();
  const addresses = `${SERVICE},${SERVICE_ADDRESS}`;
  const start = () => around.startMerchant({ WEBHOOK_SOURCE_ADDRESSES: addresses });
  merchants = await Promise.all([start(), start()]);
});

withCardForm('K1: two processes count together', async () => {
  const cookies = new Map<string, string>();
  const browsers = merchants.map((merchant) => createMemberBrowser(merchant, cookies));
  const browserAt = (index: number) => browsers[index % 2] as (typeof browsers)[number];
  const forms: { customer_uid: string; form_token: string }[] = [];
  while (forms.length < 20) forms.push(await browserAt(forms.length).openForm());
  // A declined card creates no key, so that only the counts decide.
  const body = { code: 1, message: 'declined' };
  await around.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'status', status: 200, body, times: 20 });
  await pause(FILL_IN_MS);
  const answers = await Promise.all(
    forms.map((form, index) => {
      const card_number = `9410-2000-0000-${String(index).padStart(4, '0')}`;
      return browserAt(index).post('/cards', { ...form, ...CARD_FORM, card_number, register_again: 'on' });
    }),
  );
  await around.sandbox.clearFaults();

  const answered = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  expect([answered(400), answered(429)]).toEqual([5, 15]);
  expect(await around.sandbox.requests(ISSUE_KEY)).toBe(5);
  expect(await around.rows.query('select from billing_key_issuances')).toHaveLength(5);
});

describeWithNginx('two processes behind nginx', () => {
  beforeAll(async () => {
    nginx = await startNginx(merchants.map(({ port }) => port));
  });
  afterAll(() => nginx?.stop());

  test('a hundred copies of a notification, sent to both processes, cause one payment and one change of its order', async () => {
    const svcUid = await payOrder('burst');
    const before = nginx.upstreamPorts().length;
    const answers = await Promise.all(Array.from({ length: 100 }, () => notify(svcUid, 'burst')));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(nginx.upstreamPorts().slice(before)).size).toBe(2);
    expect(await around.rows.query('select status, version from orders')).toEqual([
      { status: 'paid', version: 1 },
    ]);
    expect(await around.rows.query('select svc_uid from payments')).toEqual([{ svc_uid: svcUid }]);
    const outcomes = await around.rows.query(
      'select outcome, count(*)::int as count from notifications group by outcome order by count',
    );
    expect(outcomes.reduce((sum, { count }) => sum + Number(count), 0)).toBe(100);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['recorded', 'unchanged']);
    // Each process has one fetch under way at a time and shares it; how many there are depends on how long the burst takes.
    expect(await around.sandbox.requests(FETCH_PAYMENT)).toBeLessThan(50);
    expect(await around.sandbox.requests(TOKEN)).toBeLessThanOrEqual(2);
  });

  test('a failed check is repeated once, by one of the two', async () => {
    const uids = Array.from({ length: 20 }, (_, index) => `again-${index}`);
    const payments = await payOrders(uids);
    await around.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: uids.length });
    const answers = await Promise.all(payments.map((svcUid, index) => notify(svcUid, uids[index] ?? '')));
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['queued']));

    await eventually(async () => (await paidOrders('again-%')) === uids.length);
    await around.rows.waitFor(
      `select 1 where not exists (
         select from notifications where merchant_uid like 'again-%' and outcome <> 'recorded')`,
    );
    const attempts = await around.rows.query(
      `select distinct attempts, outcome from notifications where merchant_uid like 'again-%'`,
    );
    expect(attempts).toEqual([{ attempts: 2, outcome: 'recorded' }]);
    // One may have been the probe of the service, which has another log line.
    expect(new Set(checkedAgain(uids)).size).toBe(checkedAgain(uids).length);
    // Both write many orders in one statement, and no two statements wait for each other.
    const waits = `select deadlocks::int from pg_stat_database where datname = current_database()`;
    expect(await around.rows.query(waits)).toEqual([{ deadlocks: 0 }]);
  });

  test('when one is killed, the other continues its work and serves all requests', async () => {
    const [doomed, survivor] = merchants;
    const retried = await payOrder('retried');
    const interrupted = await payOrder('interrupted');
    // Open rows of earlier tests must not use up the fault.
    await around.rows.query('update notifications set next_attempt_at = null');
    await around.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 1 });
    expect(await doomed.notify(retried, 'retried')).toMatchObject({ outcome: 'queued' });
    await around.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 5_000, times: 1 });
    const before = await around.sandbox.requests(FETCH_PAYMENT);
    const unanswered = doomed.notify(interrupted, 'interrupted');
    await eventually(async () => (await around.sandbox.requests(FETCH_PAYMENT)) > before);
    await doomed.kill('SIGKILL');
    expect(await unanswered).toBeNull();

    await eventually(async () => (await paidOrders('retried')) === 1);
    // The work of the dead process is due after a minute. The test changes the rows instead of waiting.
    await around.rows.query(
      `update notifications set next_attempt_at = now() where merchant_uid = 'interrupted'`,
    );
    await around.rows.query(`select graphile_worker.add_job('retry-due-notifications')`);
    await eventually(async () => (await paidOrders('interrupted')) === 1);
    await eventually(() => checkedAgain(['interrupted'], [survivor]).length === 1);
    // By the retry, or by the probe of the service, which has another log line.
    const retries = `select attempts, outcome from notifications where merchant_uid = 'retried'`;
    expect(await around.rows.query(retries)).toEqual([{ attempts: 2, outcome: 'recorded' }]);

    const uids = Array.from({ length: 20 }, (_, index) => `alone-${index}`);
    const payments = await payOrders(uids);
    const answers = await Promise.all(payments.map((svcUid, index) => notify(svcUid, uids[index] ?? '')));
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['recorded']));
    expect(await around.sandbox.requests(TOKEN)).toBeLessThanOrEqual(2);
  });
});

/** The orders among these whose notification was retried, once for each retry in the logs. */
function checkedAgain(merchantUids: string[], by: Merchant[] = merchants): string[] {
  const lines = by.flatMap((merchant) => merchant.events('notification_retried'));
  return lines.map((line) => String(line['merchant_uid'])).filter((uid) => merchantUids.includes(uid));
}

/** At the process that is never killed. */
const payOrder = (merchantUid: string) => merchants[1].payOrder(merchantUid);
const payOrders = (merchantUids: string[]) => Promise.all(merchantUids.map(payOrder));

/** Through nginx, from an address of the service. */
async function notify(svcUid: string, merchantUid: string): Promise<{ status: number; outcome: string }> {
  const { status, body } = await send(nginx.url, '/webhooks/payments', {
    localAddress: SERVICE,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ svc_uid: svcUid, merchant_uid: merchantUid, status: 'paid' }),
  });
  return { status, ...(JSON.parse(body) as { outcome: string }) };
}

const paidOrders = async (like: string) =>
  (await around.rows.query(`select from orders where merchant_uid like $1 and status = 'paid'`, [like]))
    .length;
