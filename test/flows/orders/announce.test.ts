// ANNOUNCE_ORDERS: the service is told what an order costs when the order is registered (§4.9). It is a second lock, so no
// order depends on it.

import type { ServerResponse } from 'node:http';
import { paySilently, registerOrder, sendNotification } from '../../support/orders';
import {
  sendEnvelope,
  startRecordingService,
  type ReceivedRequest,
  type RecordingService,
} from '../../support/recording-service';
import { startWorld, type World } from '../../support/world';

const PREPARE = '/payments/prepare';
const order = (merchantUid: string) => ({ merchant_uid: merchantUid, name: 'Tea', amount: 1000 });

describe('an order that is announced', () => {
  let service: RecordingService;
  let world: World;
  let answer: (response: ServerResponse, request: ReceivedRequest) => void;
  beforeAll(async () => {
    service = await startRecordingService((request, response) => answer(response, request));
    world = await startWorld({ environment: { ANNOUNCE_ORDERS: 'on', SERVICE_BASE_URL: service.url } });
  });
  beforeEach(() => {
    answer = (response, { body }) => sendEnvelope(response, body);
    service.requests.length = 0;
  });
  afterAll(async () => {
    await world.close();
    await service.close();
  });

  const register = (merchantUid: string) => world.api('POST', '/api/orders', order(merchantUid));
  const notAnnounced = (merchantUid: string) =>
    world.log.events('order_not_announced').filter((line) => line['merchant_uid'] === merchantUid);

  test('its amount is registered with the service before the order is answered', async () => {
    expect((await register('announced')).status).toBe(201);
    expect(service.requests).toMatchObject([
      { method: 'POST', path: PREPARE, body: { merchant_uid: 'announced', amount: 1000 } },
    ]);
    expect(notAnnounced('announced')).toEqual([]);
  });

  test('the same order again, and one that conflicts, announce nothing', async () => {
    await register('once');
    expect((await register('once')).status).toBe(200);
    const other = await world.api('POST', '/api/orders', { ...order('once'), amount: 999 });
    expect(other.status).toBe(409);
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    [
      'refuses',
      'refused',
      (response: ServerResponse) => void response.end('{"code":1,"message":"registered"}'),
    ],
    ['is out of order', 'server_error', (response: ServerResponse) => void response.writeHead(503).end()],
    ['breaks the line', 'no_answer', (response: ServerResponse) => void response.destroy()],
  ])('a service that %s does not hold the order up, and is asked once', async (_, kind, fail) => {
    answer = fail;
    const uid = `failed-${kind}`;
    const { status, body } = await register(uid);
    expect([status, body.status]).toEqual([201, 'open']);
    expect(notAnnounced(uid)).toMatchObject([{ level: 40, err: { kind, path: PREPARE } }]);
    expect((await register(uid)).status).toBe(200);
    await world.runEveryMinute(3600);
    expect(service.requests.filter(({ path }) => path === PREPARE)).toHaveLength(1);
  });

  test('a service that never answers holds the order up for two seconds', async () => {
    answer = () => undefined;
    const startedMs = performance.now();
    expect((await register('hanging')).status).toBe(201);
    const tookMs = performance.now() - startedMs;
    expect(tookMs).toBeGreaterThan(1_900);
    expect(tookMs).toBeLessThan(6_000);
    expect(notAnnounced('hanging')).toMatchObject([
      { err: { kind: 'no_answer', detail: 'deadline passed' } },
    ]);
  });

  test('the result is counted with the other calls of the service', async () => {
    await register('counted');
    const metrics = await (await fetch(`${world.url}/metrics`)).text();
    expect(metrics).toContain(
      'merchant_service_calls_total{operation="POST /payments/prepare",result="200"}',
    );
  });
});

/** Requests of this path that the sandbox received, whatever endpoint it took them for. */
async function prepared(world: World): Promise<number> {
  const { requests } = await world.sandbox.call('GET', '/requests');
  return requests.filter(({ path }: { path: string }) => path === PREPARE).length;
}

test.each([['on'], ['true']])(
  'with ANNOUNCE_ORDERS=%s an order is announced and then paid',
  async (setting) => {
    const world = await startWorld({ environment: { ANNOUNCE_ORDERS: setting } });
    const uid = await registerOrder(world, 'paid');
    expect(await prepared(world)).toBe(1);
    const { svc_uid } = await paySilently(world, uid);
    expect(await sendNotification(world, svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
    await world.close();
  },
);

test('by default the service is told nothing, and not even a token is fetched', async () => {
  const world = await startWorld();
  await registerOrder(world, 'quiet');
  expect(await world.sandbox.allRequests()).toBe(0);
  await world.close();
});
