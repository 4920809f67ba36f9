// The lists of the JSON API show payments, billing keys and schedules as the service has them, and notifications and
// discrepancies as they are stored.

import { callService } from '../../support/calls';
import { CARD } from '../../support/cards';
import { registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';
import { startWorld } from '../../support/world';

const world = useWorld();
const DAY = 86_400;
/** When the tests began, in UNIX seconds. */
let began: number;

beforeAll(async () => {
  began = Math.floor(world.clock.nowMs() / 1000);
  await registerOrder(world, 'paid');
  await registerOrder(world, 'cheap');
  await world.sandbox.pay({ merchant_uid: 'paid', amount: 1000 });
  await world.sandbox.pay({ merchant_uid: 'cheap', amount: 999 });
  await world.sandbox.pay({ merchant_uid: 'failed', amount: 1000, outcome: 'failed' });
  for (const key of ['card-1', 'card-2']) await callService(world, `/subscribe/customers/${key}`, CARD);
  await world.rows.query(
    `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
     values ('card-1', 'member-1', 'active', now(), now()), ('card-3', 'member-1', 'failed', now(), now())`,
  );
  const payment = { customer_uid: 'card-1', amount: 500, name: 'Tea' };
  for (const each of [1, 2, 3])
    await callService(world, '/subscribe/payments/again', { ...payment, merchant_uid: `again-${each}` });
  const schedules = [1, 2, 3].map((each) => {
    const order = { merchant_uid: `schedule-${each}`, amount: 700, name: 'Tea' };
    return { ...order, schedule_at: began + each * 200 * DAY };
  });
  await callService(world, '/subscribe/payments/schedule', { customer_uid: 'card-2', schedules });
});

const get = (path: string) => world.api('GET', `/api/${path}`);
const listOf = async (path: string): Promise<any[]> => (await get(path)).body.list;
const uidsOf = (list: { merchant_uid: string }[]) => list.map(({ merchant_uid }) => merchant_uid);

describe('payments by status (§4.5)', () => {
  test('come from the service, under the names of the document, also those that match no order', async () => {
    const { body } = await get('payments?sorting=-started&limit=1000');
    expect(body).toMatchObject({ total: 6, previous: 0, next: 0, unreadable: [] });
    const amounts = { amount: 999, cancel_amount: 0, currency: 'KRW' };
    const times = { paid_at: expect.any(Number), failed_at: 0 };
    const cheap = { merchant_uid: 'cheap', status: 'paid', ...amounts, ...times };
    expect(body.list).toContainEqual(expect.objectContaining(cheap));
    expect(JSON.stringify(body)).not.toContain('abc_uid');
  });

  test('are filtered by status and period, and paged', async () => {
    expect(uidsOf(await listOf('payments?status=failed'))).toEqual(['failed']);
    const second = await get('payments?status=paid&limit=2&page=2&sorting=started');
    expect(second.body).toMatchObject({ total: 5, previous: 1, next: 3, list: [{}, {}] });
    expect(await listOf(`payments?from=${began - 90 * DAY}&to=${began - DAY}`)).toEqual([]);
  });
});

describe('billing keys (§4.7)', () => {
  test('show the service’s record and our row', async () => {
    const keys = ['card-1', 'card-2', 'card-3', 'card-9'];
    const { body } = await get(`billing-keys?${keys.map((key) => `customer_uid[]=${key}`).join('&')}`);
    const stored = { member_id: 'member-1', status: 'active' };
    expect(body).toMatchObject([
      { customer_uid: 'card-1', code: 0, card_number: '5409-13**-****-9012', stored },
      { customer_uid: 'card-2', code: 0, stored: null },
      // Only we know this one, and the fourth is unknown.
      { customer_uid: 'card-3', code: 1, stored: { status: 'failed' } },
    ]);
  });

  test('show the payments of a key (§4.6)', async () => {
    const { body } = await get('billing-keys/card-1/payments');
    expect(uidsOf(body.list).sort()).toEqual(['again-1', 'again-2', 'again-3']);
  });
});

test('schedules (§4.8) are listed by period, also further ahead than 90 days, filtered, sorted and paged', async () => {
  const period = `schedules?schedule_from=${began}&schedule_to=${began + 900 * DAY}`;
  const { body } = await get(period);
  expect(uidsOf(body)).toEqual(['schedule-3', 'schedule-2', 'schedule-1']);
  expect(body[0]).toMatchObject({ schedule_at: began + 600 * DAY, customer_uid: 'card-2', amount: 700 });
  const oldest = await get(`${period}&sorting=scheduled&limit=2&page=1`);
  expect(uidsOf(oldest.body)).toEqual(['schedule-1', 'schedule-2']);
  expect((await get(`${period}&schedule_status=revoked`)).body).toEqual([]);
  expect((await get(`${period}&page=5`)).body.error.code).toBe('page_out_of_range');
});

test('when the service refuses our credentials, the answer is a 502 and the log has the reason', async () => {
  const misconfigured = await startWorld({ environment: { SERVICE_SECRET: 'wrong' } });
  const { status, body } = await misconfigured.api('GET', '/api/payments');
  expect([status, body.error.code]).toEqual([502, 'service_unauthorized']);
  expect(misconfigured.log.events('request_failed')).toMatchObject([{ err: { kind: 'unauthorized' } }]);
  await misconfigured.close();
});

describe('notifications and discrepancies', () => {
  test('notifications are listed with their outcomes', async () => {
    const source = { source_address: expect.stringMatching(/^52\.78\./), attempts: 1 };
    expect((await get('notifications?merchant_uid=paid')).body).toMatchObject({
      list: [{ outcome: 'recorded', claimed_status: 'paid', ...source }],
      next: null,
    });
  });

  test('discrepancies are listed with both values', async () => {
    const values = { expected: '1000 KRW', actual: '999 KRW', resolved_at: null, times_seen: 1 };
    const mismatches = 'discrepancies?kind=amount_mismatch';
    expect(await listOf(`${mismatches}&open=true`)).toMatchObject([{ merchant_uid: 'cheap', ...values }]);
    expect(await listOf(`${mismatches}&open=false`)).toEqual([]);
  });
});
