// The sums of the overview by their rows: what counts for which day of Seoul, and what happens if the sums take too long.

import { readDays } from '../../../src/merchant/options/operator/things/overview-store';
import { ALL_PAYMENT_ROWS, createPaymentRows, type PaymentRow } from '../../support/payment-rows';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();
beforeEach(() => running.rows.query(ALL_PAYMENT_ROWS));

const rows = createPaymentRows({ query: (...args) => running.rows.query(...args) });
const DAY = 24 * 3600;
/** Midnight in Seoul. */
const START = Date.UTC(2026, 10, 20, 15);
const at = (seconds: number) => new Date(START + seconds * 1000);
const [FIRST, SECOND] = ['2026-11-21', '2026-11-22'];
const PERIOD = { from: at(0), to: at(2 * DAY) };
/** Before the first day, the two ends of this day, the next day, and the end of the period. */
const MOMENTS = [-1, 0, DAY - 1, DAY, 2 * DAY];

const payment = (svcUid: string, changes: Partial<PaymentRow>) =>
  rows.payment(svcUid, { createdAt: at(-DAY), updatedAt: at(DAY), ...changes });
const days = async () => {
  const read = await readDays(running.context, PERIOD);
  if (read === null) throw new Error('it took too long');
  const byDay = <Row extends { day: string }>(list: Row[]) =>
    list.toSorted((one, other) => (one.day < other.day ? -1 : 1));
  return {
    paid: byDay(read.paid),
    failed: byDay(read.failed),
    refunds: byDay(read.refunds),
    cards: byDay(read.cards),
  };
};

test('each day from the first on has the payments and refunds of its first and its last second, by currency', async () => {
  for (const moment of MOMENTS) {
    await payment(`paid${moment}`, { paidAt: at(moment) });
    const history = [{ amount: 100, at: at(moment).getTime() / 1000 }];
    await payment(`refunded${moment}`, { paidAt: at(-DAY), cancelled: 100, history });
  }
  await payment('dollars', { paidAt: at(DAY), currency: 'USD', amount: 7 });
  const { paid, refunds } = await days();
  expect(paid).toEqual([
    { day: FIRST, currency: 'KRW', count: 2, amount: 2000 },
    ...[
      { day: SECOND, currency: 'KRW', count: 1, amount: 1000 },
      { day: SECOND, currency: 'USD', count: 1, amount: 7 },
    ],
  ]);
  expect(refunds).toEqual([
    { day: FIRST, currency: 'KRW', count: 2, amount: 200 },
    { day: SECOND, currency: 'KRW', count: 1, amount: 100 },
  ]);
});

test('a payment counts as paid if it holds or held money, and as failed if it did not get any further', async () => {
  const failed = { failedAt: at(0), createdAt: at(0) };
  await payment('paid', { ...failed, paidAt: at(1) });
  await payment('refunded', { paidAt: at(1), status: 'cancelled', cancelled: 1000 });
  for (const status of ['ready', 'failed', 'cancelled']) await payment(status, { ...failed, status });
  for (const moment of MOMENTS)
    await payment(`failed${moment}`, { status: 'failed', failedAt: at(-DAY), createdAt: at(moment) });
  const { paid, failed: counted } = await days();
  expect(paid).toEqual([{ day: FIRST, currency: 'KRW', count: 2, amount: 2000 }]);
  expect(counted).toEqual([
    { day: FIRST, count: 3 },
    { day: SECOND, count: 1 },
  ]);
});

test('a card counts for the day of its registration, also once it is removed, and not before it can pay', async () => {
  const key = (uid: string, status: string, moment: number) =>
    running.rows.query(
      `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
       values ($1, 'kim', $2::billing_key_status, $3, now())`,
      [uid, status, at(moment)],
    );
  for (const status of ['active', 'removing', 'removed', 'pending', 'failed', 'needs_review'])
    await key(status, status, 0);
  for (const moment of MOMENTS) await key(`active${moment}`, 'active', moment);
  expect((await days()).cards).toEqual([
    { day: FIRST, count: 5 },
    { day: SECOND, count: 1 },
  ]);
});

/** Reads from a view in place of the payments. */
async function daysOf<Result>(view: string, read: () => Promise<Result>): Promise<Result> {
  await running.rows.query(`alter table payments rename to stored_payments; create view payments as ${view}`);
  try {
    return await read();
  } finally {
    await running.rows.query('drop view payments; alter table stored_payments rename to payments');
  }
}

test('sums that PostgreSQL ends are not shown, and it ends them before the driver gives up', async () => {
  await payment('paid', { paidAt: at(0) });
  await running.rows.query(`create function ends() returns boolean language plpgsql as
    $$ begin raise exception using errcode = 'query_canceled'; end $$`);
  const ended = 'select * from stored_payments where ends()';
  expect(await daysOf(ended, () => readDays(running.context, PERIOD))).toBeNull();
  // The driver waits for 2.8 seconds (database-pool.ts).
  const inTime = `select * from stored_payments where current_setting('statement_timeout')::interval < '2.8 s'`;
  expect((await daysOf(inTime, days)).paid).toHaveLength(1);
});
