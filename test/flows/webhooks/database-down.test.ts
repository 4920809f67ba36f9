// The database goes away and comes back (rows F1 and F8 of docs/faults.md). Only a stored notification is answered
// with 200.

import { paySilently, registerOrder, sendNotification } from '../../support/orders';
import { send } from '../../support/raw-http';
import { useWorld } from '../../support/use-world';
import { SERVICE_ADDRESS } from '../../support/world';

const world = useWorld();

test('a notification that cannot be noted is 503 with Retry-After, within three seconds, and the next one counts', async () => {
  await registerOrder(world, 'order-1');
  const { svc_uid } = await paySilently(world, 'order-1');
  const calls = await world.sandbox.allRequests();

  await world.withoutDatabase(async () => {
    const began = performance.now();
    const answer = await send(world.url, '/webhooks/payments', {
      headers: { 'content-type': 'application/json', 'x-forwarded-for': SERVICE_ADDRESS },
      body: JSON.stringify({ abc_uid: svc_uid, merchant_uid: 'order-1', status: 'paid' }),
    });
    expect(performance.now() - began).toBeLessThan(3000);
    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(world.url, '/healthz', { method: 'GET' })).status).toBe(200);
    const readiness = await send(world.url, '/readyz', { method: 'GET' });
    expect(readiness.status).toBe(503);
    expect(JSON.parse(readiness.body)).toMatchObject({
      status: 'not_ready',
      reasons: [expect.stringMatching(/^database/)],
    });
    expect(await world.api('GET', '/api/orders/order-1')).toMatchObject({ status: 503 });
  });

  expect(await world.sandbox.allRequests()).toBe(calls);
  expect(await world.rows.query('select * from notifications')).toEqual([]);
  expect(await sendNotification(world, svc_uid, 'order-1')).toEqual({ status: 200, outcome: 'recorded' });
  // The verdict is kept for a second.
  await world.advance(1);
  expect((await send(world.url, '/readyz', { method: 'GET' })).status).toBe(200);
});
