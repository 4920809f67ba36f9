// The database goes away and comes back (faults.md F1, F8): nothing is answered as noted that was not.

import { send } from '../../support/raw-http';
import { startWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test('a notification that cannot be noted is 503 with Retry-After, within three seconds, and the next one counts', async () => {
  await world.api('POST', '/api/orders', { merchant_uid: 'order-1', name: 'Tea', amount: 1000 });
  const { svc_uid } = await world.sandbox.pay({ merchant_uid: 'order-1', amount: 1000, notify: false });
  const body = { svc_uid, merchant_uid: 'order-1', status: 'paid' };
  const calls = await world.sandbox.allRequests();

  await world.withoutDatabase(async () => {
    const began = performance.now();
    const answer = await send(world.url, '/webhooks/payments', {
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '52.78.100.19' },
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
  expect(await world.notify(body)).toEqual({ status: 200, outcome: 'recorded' });
  expect((await send(world.url, '/readyz', { method: 'GET' })).status).toBe(200);
});
