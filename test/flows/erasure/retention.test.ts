// Rows older than KEEP_NOTIFICATIONS_DAYS are deleted once a day if nothing needs them. Open rows stay, however old.

import { deleteOldRows } from '../../../src/merchant/options/erasure/retention-store';
import { startContext, type RunningContext } from '../../support/use-world';

const DAY_MS = 24 * 3_600_000;

let running: RunningContext;
beforeEach(async () => {
  running = await startContext({ KEEP_NOTIFICATIONS_DAYS: '90' });
});
afterEach(() => running.close());

const daysAgo = (days: number) => new Date(running.clock.nowMs() - days * DAY_MS);
const run = () => deleteOldRows(running.context, new AbortController().signal);
const query = (sql: string, values: unknown[] = []) =>
  running.rows.query<Record<string, string>>(sql, values);
/** The first column, sorted. */
const left = async (sql: string) => (await query(sql)).map((row) => Object.values(row)[0]).sort();

/** @param name used in `svc_uid` */
const notification = (name: string, days: number, nextAttemptAt: Date | null = null) =>
  query(
    `insert into notifications (received_at, generation, svc_uid, merchant_uid, source_address, outcome, next_attempt_at)
     values ($1, 'legacy', $2, 'order', '52.78.100.19', 'recorded', $3)`,
    [daysAgo(days), name, nextAttemptAt],
  );

test('M26 checked notifications are deleted after their time; open ones, orders and payments are kept', async () => {
  await query(
    `with placed as (
       insert into orders (merchant_uid, name, amount, currency, status, created_at, updated_at)
       values ('old', 'Tea', 1000, 'KRW', 'paid', $1, $1) returning merchant_uid)
     insert into payments (svc_uid, merchant_uid, status, amount, currency, record, fetched_at, created_at, updated_at)
     select 'svc_old', merchant_uid, 'paid', 1000, 'KRW', '{}', $1, $1, $1 from placed`,
    [daysAgo(4000)],
  );
  const money = await running.rows.money();
  await notification('old', 91);
  await notification('old and open', 400, daysAgo(399));
  await notification('young', 89);
  await run();
  expect(await left('select svc_uid from notifications')).toEqual(['old and open', 'young']);
  running.clock.advance((2 * DAY_MS) / 1000);
  await run();
  expect(await left('select svc_uid from notifications')).toEqual(['old and open']);
  expect(await running.rows.money()).toBe(money);
});

test('M26 resolved discrepancies that were not seen for their time are deleted with their notes, and refunds are kept', async () => {
  const discrepancy = (name: string, resolvedDaysAgo: number | null, seenDaysAgo = 200) =>
    query(
      `insert into discrepancies (kind, svc_uid, merchant_uid, first_seen_at, last_seen_at, resolved_at)
       values ('unknown_order', $1, 'order', $2, $3, $4)`,
      [name, daysAgo(300), daysAgo(seenDaysAgo), resolvedDaysAgo && daysAgo(resolvedDaysAgo)],
    );
  await discrepancy('old', 91);
  await discrepancy('open', null);
  await discrepancy('settled lately', 89);
  await discrepancy('seen lately', 91, 10);
  await discrepancy('refunded', 91);
  await discrepancy('being refunded', 91);
  await query(
    `insert into refunds (svc_uid, discrepancy_id, amount, cancelled_before, cancel_reason, status, started_at)
     select svc_uid, id, 100, 0, 'cold',
       case svc_uid when 'refunded' then 'refunded' else 'unknown' end::refund_status, now()
     from discrepancies where svc_uid like '%refunded'`,
  );
  await query(
    `insert into notes (subject, subject_id, written_by, text, written_at)
     select 'discrepancy'::note_subject, id::text, 'kim', svc_uid, now() from discrepancies
     union all select 'charge', id::text, 'kim', 'charge of the same id', now() from discrepancies where svc_uid = 'old'`,
  );
  await run();
  const kept = ['being refunded', 'open', 'seen lately', 'settled lately'];
  expect(await left('select svc_uid from discrepancies')).toEqual(kept);
  expect(await left('select text from notes')).toEqual(['charge of the same id', ...kept].sort());
  expect(await left(`select svc_uid || ' ' || (discrepancy_id is null) from refunds`)).toEqual([
    'being refunded false',
    'refunded true',
  ]);
});

test('M26 events are deleted once every target has them, and undelivered ones are kept', async () => {
  const event = (stream: string, days: number, position: number | null) =>
    query(
      `insert into events (stream, version, type, data, occurred_at, position)
       values ($1, 1, 'order.paid', '{}', $2, $3)`,
      [stream, daysAgo(days), position],
    );
  const delivery = (stream: string, target: string, deliveredAt: Date | null, next: Date | null = null) =>
    query(
      `insert into event_deliveries (event_id, target, stream, delivered_at, next_attempt_at)
       select id, $2, 'x', $3, $4 from events where stream = $1`,
      [stream, target, deliveredAt, next],
    );
  for (const [position, stream] of ['delivered', 'half delivered', 'given up', 'sent again'].entries())
    await event(stream, 91, position + 1);
  await event('young', 89, 5);
  await event('unpublished', 91, null);
  const done = daysAgo(90);
  for (const stream of ['delivered', 'half delivered', 'young']) await delivery(stream, 'handler', done);
  await delivery('half delivered', 'url', null, daysAgo(1));
  await delivery('given up', 'url', null);
  await delivery('sent again', 'url', done, daysAgo(0));
  await run();
  const kept = ['given up', 'half delivered', 'sent again', 'unpublished', 'young'];
  expect(await left('select stream from events')).toEqual(kept);
  expect(await query('select from event_deliveries')).toHaveLength(5);
});

test('M27 jobs that are no longer run are deleted, and waiting or running ones stay', async () => {
  for (const [key, changes] of [
    ['failed for good', 'attempts = max_attempts'],
    ['of a dead process', `attempts = max_attempts, locked_at = now() - interval '5 hours'`],
    ['in hand', `attempts = max_attempts, locked_at = now() - interval '3 hours'`],
    ['fails', 'attempts = max_attempts - 1'],
    ['waits', 'attempts = 0'],
  ]) {
    await query(`select graphile_worker.add_job('reconcile', job_key := $1)`, [key]);
    await query(`update graphile_worker._private_jobs set ${changes} where key = $1`, [key]);
  }
  await run();
  expect(await left('select key from graphile_worker.jobs')).toEqual(['fails', 'in hand', 'waits']);
  expect(running.log.events('old_rows_deleted').at(-1)).toMatchObject({ jobs: 2 });
});

test('the digits of a declined card are deleted after their time, and those of an active card are kept', async () => {
  await query(
    `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
     values ('card', 'member', 'active', now(), now())`,
  );
  for (const [nonce, status, resolvedAt] of [
    ['declined', 'declined', daysAgo(91)],
    ['declined lately', 'declined', daysAgo(89)],
    ['issued', 'issued', daysAgo(91)],
    ['open', 'unknown', null],
  ] as const)
    await query(
      `insert into billing_key_issuances (customer_uid, form_nonce, replaces_key, status, card_last_four, reason,
         terms_version, privacy_version, consented_at, started_at, resolved_at)
       values ('card', $1, false, $2::issuance_status, '9012', 'why', '1', '1', $3, $3, $4)`,
      [nonce, status, daysAgo(100), resolvedAt],
    );
  await run();
  expect(
    await left(`select concat_ws(' ', form_nonce || ':', card_last_four, reason) from billing_key_issuances`),
  ).toEqual(['declined lately: 9012 why', 'declined: ****', 'issued: 9012 why', 'open: 9012 why']);
});

test('rows of the audit log are kept for a year, also if the setting says less, and then deleted', async () => {
  const action = (name: string, days: number) =>
    query(
      `insert into operator_actions (at, by, action, outcome, detail) values ($1, $2, 'note', 'done', '{}')`,
      [daysAgo(days), name],
    );
  await action('older than a year', 370);
  await action('younger', 360);
  await run();
  expect(await left('select by from operator_actions')).toEqual(['younger']);
  // The clock of the database counts, too: a clock that is moved ahead deletes nothing.
  running.clock.advance((400 * DAY_MS) / 1000);
  await run();
  expect(await left('select by from operator_actions')).toEqual(['younger']);
});
