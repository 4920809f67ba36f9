// A real merchant process is killed with `kill -9` at the moments of rows G1 to G3, G6, M8, M27 and O17 of docs/13-faults.md, and is
// stopped at that of G13: a proxy between it and its database passes or holds a statement until the process is dead. Every other moment of a
// notification is in simulation.test.ts.

import { setTimeout as pause } from 'node:timers/promises';
import { createMemberBrowser } from '../support/browsers';
import { CARD_FORM } from '../support/cards';
import { startStatementProxy, type StatementProxy } from '../support/database-proxies';
import { eventually } from '../support/eventually';
import { withCardForm, withWindowKeys } from '../support/keys';
import { FILL_IN_MS } from '../support/processes';
import { FETCH_PAYMENT, FIND_KEYS, FIND_PAYMENTS, ISSUE_KEY } from '../support/sandbox-controls';
import { useSurroundings, type Merchant } from '../support/use-surroundings';
import { holdJobs, jobsOfTheStart, loseAnswer } from './lost-payment';

const LIST_SCHEDULES = 'GET /subscribe/payments/schedule/customers/:customer_uid';
const HOUR = 3600;

const around = useSurroundings();
let proxy: StatementProxy;
let merchant: Merchant;
const cookies = new Map<string, string>();
let form: { customer_uid: string; form_token: string };
let openedMs: number;

beforeAll(async () => {
  await around.holdReconciliation();
  proxy = await startStatementProxy(around.database.url);
  await start();
  form = await createMemberBrowser(merchant, cookies).openForm();
  openedMs = performance.now();
});
afterAll(() => proxy?.close());

// This is the first test, so that no dead process has another job.
withCardForm(
  'M27 a job of a killed process runs again in the next process, and its old row is deleted',
  async () => {
    await jobsOfTheStart(around.rows);
    const releaseJobs = await holdJobs(around.rows);
    await loseAnswer(merchant.api, around.sandbox, 'in-a-job');
    await isAsked(FIND_PAYMENTS, releaseJobs);
    await merchant.kill('SIGKILL');
    const [charge] = await around.rows.query<{ id: string }>('select id from charges');
    // The recurring job that enqueues it again may have run meanwhile: then another row of it has no key any more.
    expect(await heldJobs()).toContainEqual({ task: 'recover-charge', key: `recover-charge-${charge?.id}` });

    await start();
    await around.rows.waitFor(`select 1 from charges where status = 'paid'`);
    expect(await orderOf('in-a-job')).toEqual([{ status: 'paid', version: 1 }]);
    expect(await paymentsOf('in-a-job')).toHaveLength(1);

    // The row of the dead process has no key and no attempts left. It is deleted after four hours.
    const old = { task: 'recover-charge', key: null };
    await deleteOldRows();
    expect(await heldJobs()).toContainEqual(old);
    // It may have held other jobs as well, whose rows stay.
    await around.rows.query(`update graphile_worker._private_jobs set locked_at = now() - interval '5 hours'
    where id in (select id from graphile_worker.jobs
      where task_identifier = 'recover-charge' and key is null and locked_at is not null)`);
    await deleteOldRows();
    expect(await heldJobs()).not.toContainEqual(old);
  },
);

test('G2 and G3: a process killed between storing and answering, or during a fetch, leaves rows that are checked after a minute', async () => {
  const [stored, fetching] = [await merchant.payOrder('stored'), await merchant.payOrder('fetching')];
  const fetches = await around.sandbox.requests(FETCH_PAYMENT);
  let unanswered: Promise<unknown> | undefined;
  await isAsked(FETCH_PAYMENT, () => (unanswered = merchant.notify(fetching, 'fetching')));
  const killed = killAt('after', 'store-notifications');
  expect(await merchant.notify(stored, 'stored')).toBeNull();
  await killed;
  expect(await unanswered).toBeNull();
  for (const uid of ['stored', 'fetching']) expect(await open(uid)).toEqual([{ outcome: null, seconds: 60 }]);
  expect(await around.sandbox.requests(FETCH_PAYMENT)).toBe(fetches + 1);

  await minutePasses();
  await start();
  await expectPaidOnce('stored', stored);
  await expectPaidOnce('fetching', fetching);
  expect(await around.sandbox.requests(FETCH_PAYMENT)).toBe(fetches + 3);
  expect(await merchant.notify(stored, 'stored')).toEqual({ status: 200, outcome: 'unchanged' });
  await expectPaidOnce('stored', stored);
});

withCardForm(
  'G6 a process killed before the call of an issuance has issued nothing, and the issuance ends as failed',
  async () => {
    // The minimum time of a person has passed since the form was opened.
    await pause(Math.max(0, openedMs + FILL_IN_MS - performance.now()));
    const killed = killAt('after', 'COMMIT');
    const member = createMemberBrowser(merchant, cookies);
    await expect(member.post('/cards', { ...form, ...CARD_FORM })).rejects.toThrow();
    await killed;
    const statusOfKey = () =>
      around.rows.query(
        `select k.status as key, i.status as issuance, i.not_found_polls as misses
       from billing_keys k join billing_key_issuances i using (customer_uid) where customer_uid = $1`,
        [form.customer_uid],
      );
    expect(await statusOfKey()).toEqual([{ key: 'pending', issuance: 'pending', misses: 0 }]);

    // For ten minutes the service may still show the outcome of the call.
    await around.rows.query(
      `update billing_key_issuances set started_at = started_at - interval '11 minutes'`,
    );
    const lookUps = await around.sandbox.requests(FIND_KEYS);
    await start();
    await eventually(async () => {
      // Makes later jobs due now, and the engine finds them.
      await around.rows.query(
        `update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null`,
      );
      await addJob('recover-unresolved-attempts');
      return (await statusOfKey())[0]?.['key'] === 'failed';
    });
    expect(await statusOfKey()).toEqual([
      { key: 'failed', issuance: 'declined', misses: expect.any(Number) },
    ]);
    expect((await around.sandbox.requests(FIND_KEYS)) - lookUps).toBeGreaterThanOrEqual(3);
    expect(await around.sandbox.requests(ISSUE_KEY)).toBe(0);
  },
);

withWindowKeys(
  'O17 a process killed at any statement that adopts a key has adopted it once when the next process has run',
  async () => {
    const statements = [
      'INSERT INTO "public"."billing_keys"',
      'update billing_keys k',
      'save-events',
      'COMMIT',
    ];
    for (const statement of statements) {
      const { body } = await merchant.api('POST', '/api/members/kim/billing-key-requests', {});
      const { svc_uid: svcUid } = await around.sandbox.pay({ ...body.window, notify: false });
      const killed = killAt('after', statement);
      expect(await merchant.notify(svcUid, body.merchant_uid)).toBeNull();
      await killed;
      const keys = () =>
        around.rows.query(
          `select k.member_id, k.status, e.type from billing_keys k join events e on e.stream = 'card:' || k.customer_uid
           where k.customer_uid = $1 and k.issued_by = $2`,
          [body.customer_uid, svcUid],
        );
      const adopted = [{ member_id: 'kim', status: 'active', type: 'card.registered' }];
      expect([statement, await keys()]).toEqual([statement, statement === 'COMMIT' ? adopted : []]);

      await minutePasses();
      await start();
      await around.rows.waitFor(
        'select from notifications where merchant_uid = $1 and outcome is not null and outcome <> $2',
        [body.merchant_uid, 'queued'],
      );
      expect([statement, await keys()]).toEqual([statement, adopted]);
    }
  },
);

test('G13 a stopped process does not answer /readyz, and its older fetch does not overwrite what another process has written', async () => {
  const still = merchant;
  const svcUid = await still.payOrder('still');
  const other = await start();
  merchant = still;
  try {
    const fetches = await around.sandbox.requests(FETCH_PAYMENT);
    await around.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 500, times: 1 });
    const late = still.notify(svcUid, 'still');
    await eventually(async () => (await around.sandbox.requests(FETCH_PAYMENT)) > fetches);
    process.kill(still.pid, 'SIGSTOP');
    const isReady = ({ url }: Merchant) =>
      fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) }).then(
        ({ status }) => status,
        () => null,
      );
    // Its answer, "paid", waits in the socket.
    expect(await isReady(still)).toBeNull();
    await eventually(async () => (await isReady(other)) === 200);
    await around.sandbox.call('POST', `/payments/${svcUid}/cancel`, {});
    expect(await other.notify(svcUid, 'still', 'cancelled')).toEqual({ status: 200, outcome: 'recorded' });
    process.kill(still.pid, 'SIGCONT');
    expect(await late).toMatchObject({ status: 200 });
    expect(await paymentsOf('still')).toEqual([{ svc_uid: svcUid, status: 'cancelled' }]);
    expect(await orderOf('still')).toEqual([{ status: 'cancelled', version: 1 }]);
    await eventually(async () => (await isReady(still)) === 200);
  } finally {
    process.kill(still.pid, 'SIGCONT');
    await other.kill('SIGKILL');
  }
});

test('G1 reconciliation finds the payment when a process is killed before it stores the notification', async () => {
  const svcUid = await merchant.payOrder('unseen');
  const killed = killAt('before', 'store-notifications');
  expect(await merchant.notify(svcUid, 'unseen')).toBeNull();
  await killed;
  expect(await open('unseen')).toEqual([]);
  expect(await orderOf('unseen')).toEqual([{ status: 'open', version: 0 }]);

  await around.allowReconciliation();
  await start();
  await expectPaidOnce('unseen', svcUid);
  expect(await around.rows.query(`select from notifications where merchant_uid = 'unseen'`)).toEqual([]);
});

// This is the last test, because it moves the service's clock.
withCardForm(
  'a removal during which the process is killed is finished by the next process, and nothing is charged (M8)',
  async () => {
    const member = createMemberBrowser({ url: merchant.url, fillInMs: FILL_IN_MS });
    const { customerUid } = await member.register();
    const schedule = { customer_uid: customerUid, merchant_uid: 'scheduled', amount: 1000, name: 'Tea' };
    const schedule_at = Math.floor(Date.now() / 1000) + HOUR;
    expect((await merchant.api('POST', '/api/schedules', { ...schedule, schedule_at })).status).toBe(201);
    const states = () =>
      around.rows.query(
        `select k.status as key, c.status as charge from billing_keys k, charges c
       where k.customer_uid = $1 and c.merchant_uid = 'scheduled'`,
        [customerUid],
      );

    const removal = await member.openRemoval(customerUid);
    await isAsked(LIST_SCHEDULES, () => member.remove(removal).catch(() => null));
    await merchant.kill('SIGKILL');
    expect(await states()).toEqual([{ key: 'removing', charge: 'scheduled' }]);

    await start();
    // The work of the dead process is due after a minute. The test changes the rows instead of waiting.
    await around.rows.query(`update billing_keys set updated_at = now() - interval '61 seconds'`);
    await addJob('recover-removals');
    await eventually(async () => (await states())[0]?.['key'] === 'removed');
    expect(await states()).toEqual([{ key: 'removed', charge: 'revoked' }]);

    await around.sandbox.advance(2 * HOUR);
    const notifications: unknown = await around.sandbox.call('GET', '/notifications?settled=1');
    expect(JSON.stringify(notifications)).not.toContain('scheduled');
    expect(await paymentsOf('scheduled')).toEqual([]);
  },
);

async function start(): Promise<Merchant> {
  merchant = await around.startMerchant({ DATABASE_URL: proxy.url });
  return merchant;
}

/** Kills the merchant at a statement of this name. Resolves when it is dead and statements are passed again. */
async function killAt(when: 'before' | 'after', statement: string): Promise<void> {
  await new Promise<void>((resolve) => proxy.stopAt(when, statement, resolve));
  await merchant.kill('SIGKILL');
  proxy.stopAfter(Number.POSITIVE_INFINITY, () => undefined);
}

/** Resolves when the merchant waits for an answer of the service, which takes a minute. */
async function isAsked(endpoint: string, ask: () => unknown): Promise<void> {
  await around.sandbox.fault({ endpoint, kind: 'delay', delay_ms: 60_000, times: 1 });
  const before = await around.sandbox.requests(endpoint);
  void ask();
  await eventually(async () => (await around.sandbox.requests(endpoint)) > before);
}

const addJob = (name: string) => around.rows.query('select graphile_worker.add_job($1)', [name]);

const heldJobs = () =>
  around.rows.query(
    `select task_identifier as task, key from graphile_worker.jobs
     where locked_at is not null and task_identifier = 'recover-charge'`,
  );

async function deleteOldRows(): Promise<void> {
  const before = merchant.events('old_rows_deleted').length;
  await addJob('delete-old-rows');
  await eventually(() => merchant.events('old_rows_deleted').length > before);
}

/** Notifications of an order, with the time from their arrival to their next attempt. */
const open = (merchantUid: string) =>
  around.rows.query(
    `select outcome, extract(epoch from next_attempt_at - received_at)::int as seconds
     from notifications where merchant_uid = $1`,
    [merchantUid],
  );

/** Instead of waiting, makes the rows a minute older. Rows that are not due later do not become due. */
const minutePasses = () =>
  around.rows.query(
    `update notifications set received_at = received_at - interval '1 minute',
       next_attempt_at = next_attempt_at - interval '1 minute'`,
  );

const paymentsOf = (merchantUid: string) =>
  around.rows.query('select svc_uid, status from payments where merchant_uid = $1', [merchantUid]);
const orderOf = (merchantUid: string) =>
  around.rows.query('select status, version from orders where merchant_uid = $1', [merchantUid]);

async function expectPaidOnce(merchantUid: string, svcUid: string): Promise<void> {
  const paid = `select from orders where merchant_uid = $1 and status = 'paid'`;
  await around.rows.waitFor(paid, [merchantUid]);
  expect(await orderOf(merchantUid)).toEqual([{ status: 'paid', version: 1 }]);
  expect(await paymentsOf(merchantUid)).toEqual([{ svc_uid: svcUid, status: 'paid' }]);
}
