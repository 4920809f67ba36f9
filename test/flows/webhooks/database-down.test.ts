// The database fails and returns (rows F1 and F8 of docs/13-faults.md). Only a stored notification is answered with 200.

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
