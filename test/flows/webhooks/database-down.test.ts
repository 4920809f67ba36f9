// The database goes away and comes back (rows F1 and F8 of docs/faults.md). Only a stored notification is answered
// with 200.

import { paySilently, registerOrder } from '../../support/orders';
import { send } from '../../support/raw-http';
import { useWorld } from '../../support/use-world';
import { SERVICE_ADDRESS } from '../../support/world';

const world = useWorld();

// The database stays away until all of them are answered: nobody waits for it.
test('a notification that cannot be noted is 503 with Retry-After, within three seconds, and the next one counts', async () => {
  await registerOrder(world, 'order-1');
  const { svc_uid } = await paySilently(world, 'order-1');
  const calls = await world.sandbox.allRequests();
  const notify = () =>
    send(world.url, '/webhooks/payments', {
      headers: { 'content-type': 'application/json', 'x-forwarded-for': SERVICE_ADDRESS },
      body: JSON.stringify({ abc_uid: svc_uid, merchant_uid: 'order-1', status: 'paid' }),
    });
  const get = (path: string) => send(world.url, path, { method: 'GET' });

  await world.withoutDatabase(async () => {
    const answer = await notify();
    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await get('/healthz')).status).toBe(200);
    const readiness = await get('/readyz');
    expect(readiness.status).toBe(503);
    expect(JSON.parse(readiness.body)).toMatchObject({ reasons: [expect.stringMatching(/^database/)] });
    expect((await world.api('GET', '/api/orders/order-1')).status).toBe(503);
  });

  expect(await world.sandbox.allRequests()).toBe(calls);
  expect(await world.rows.query('select * from notifications')).toEqual([]);
  expect(await notify()).toMatchObject({ status: 200, body: '{"outcome":"recorded"}' });
  // The verdict is kept for a second.
  await world.advance(1);
  expect((await get('/readyz')).status).toBe(200);
});
