// ANNOUNCE_ORDERS: the amount of an order is registered with the service as well (§4.9). It is a second safeguard, so no order
// depends on it.

import type { ServerResponse } from 'node:http';
import { sendEnvelope, startRecordingService, type RecordingService } from '../../support/service-client';
import { startWorld, type World } from '../../support/world';

const PREPARE = '/payments/prepare';

let service: RecordingService;
let world: World;
let answer: (response: ServerResponse) => void;
beforeAll(async () => {
  service = await startRecordingService((_request, response) => answer(response));
  world = await startWorld({ environment: { ANNOUNCE_ORDERS: 'on', SERVICE_BASE_URL: service.url } });
});
beforeEach(() => {
  answer = (response) => sendEnvelope(response, {});
  service.requests.length = 0;
});
afterAll(async () => {
  await world.close();
  await service.close();
});

const register = (merchantUid: string, amount = 1000) =>
  world.api('POST', '/api/orders', { merchant_uid: merchantUid, name: 'Tea', amount });
const notAnnounced = (merchantUid: string) =>
  world.log.events('order_not_announced').filter((line) => line['merchant_uid'] === merchantUid);

test('an order’s amount is registered with the service once', async () => {
  expect((await register('announced')).status).toBe(201);
  const body = { merchant_uid: 'announced', amount: 1000 };
  expect(service.requests).toMatchObject([{ method: 'POST', path: PREPARE, body }]);
  // The same order again, and one that conflicts.
  expect((await register('announced')).status).toBe(200);
  expect((await register('announced', 999)).status).toBe(409);
  expect(service.requests).toHaveLength(1);
});

test.each([
  ['refused', (response: ServerResponse) => response.end('{"code":1,"message":"registered"}')],
  ['no_answer', (response: ServerResponse) => response.destroy()],
])('an order does not wait for a service whose answer is %s, which is called once', async (kind, fail) => {
  answer = fail;
  const { status, body } = await register(kind);
  expect([status, body.status]).toEqual([201, 'open']);
  expect(notAnnounced(kind)).toMatchObject([{ level: 40, err: { kind, path: PREPARE } }]);
  expect((await register(kind)).status).toBe(200);
  await world.runEveryMinute(3600);
  expect(service.requests.filter(({ path }) => path === PREPARE)).toHaveLength(1);
});
