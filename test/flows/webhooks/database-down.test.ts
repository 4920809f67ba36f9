// The database fails and returns, or is slow (rows F1, F8 and F15 of docs/13-faults.md). Only a stored notification is
// answered with 200.

import { send } from '../../support/raw-http';
import { useWorld } from '../../support/use-world';
import { SERVICE_ADDRESS } from '../../support/world';
import { payOrder, RECORDED } from './setup';

const world = useWorld();
const get = (path: string) => send(world.url, path, { method: 'GET' });

// The database stays down until all of them are answered, so no answer waits for it.
test('a notification that cannot be stored gets a 503 with Retry-After within three seconds', async () => {
  const { svcUid, merchantUid, notify } = await payOrder(world);
  const calls = await world.sandbox.allRequests();
  await world.withoutDatabase(async () => {
    const body = JSON.stringify({ abc_uid: svcUid, merchant_uid: merchantUid, status: 'paid' });
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': SERVICE_ADDRESS };
    const answer = await send(world.url, '/webhooks/payments', { headers, body });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await get('/healthz')).status).toBe(200);
    const readiness = await get('/readyz');
    expect(readiness.status).toBe(503);
    expect(JSON.parse(readiness.body)).toMatchObject({ reasons: [expect.stringMatching(/^database/)] });
    expect((await world.api('GET', `/api/orders/${merchantUid}`)).status).toBe(503);
  });

  expect(await world.sandbox.allRequests()).toBe(calls);
  expect(await world.rows.query('select * from notifications')).toEqual([]);
  expect(await notify()).toEqual(RECORDED);
  // The verdict is kept for a second.
  await world.advance(1);
  expect((await get('/readyz')).status).toBe(200);
});

test('F15 when every statement takes three seconds, the answer is a 503 within three seconds, and nothing is written in part', async () => {
  const { notify } = await payOrder(world);
  await world.rows.query(`
    create or replace function wait_three_seconds() returns trigger language plpgsql as
      $$ begin perform pg_sleep(3); return new; end $$;
    create trigger slow before insert on notifications for each row execute function wait_three_seconds()`);
  const before = await world.rows.books();
  try {
    expect(await notify()).toMatchObject({ status: 503 });
    expect(await world.rows.books()).toBe(before);
  } finally {
    await world.rows.query('drop trigger slow on notifications');
  }
  expect(await notify()).toEqual(RECORDED);
});
