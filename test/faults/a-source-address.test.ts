// A notification is taken from the service's addresses alone, behind a reverse proxy and without one (chapter A of
// docs/faults.md).

import { parseAddressList } from '../../src/merchant/address-list';
import { ConfigError, loadConfig } from '../../src/merchant/config';
import { sourceAddress } from '../../src/merchant/http/source-address';
import { PRODUCTION_ENVIRONMENT } from '../support/config';
import { paySilently, registerOrder } from '../support/orders';
import { send, sendBytes, type RawAnswer } from '../support/raw-http';
import { SERVICE_ADDRESS, startWorld, TEST_BUTTON_ADDRESS, type World } from '../support/world';

const PATH = '/webhooks/payments';
let behindProxy: World;
let direct: World;

beforeAll(async () => {
  behindProxy = await startWorld();
  direct = await startWorld({ environment: { TRUSTED_PROXIES: '' } });
});
afterAll(async () => {
  await behindProxy.close();
  await direct.close();
});

/** A genuine notification about a paid order, sent with these headers. */
async function notifyWith(
  world: World,
  headers: Record<string, string | string[]>,
  path = PATH,
): Promise<RawAnswer & { unchanged: boolean; calls: number; securityLines: number }> {
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid);
  const before = { rows: await world.rows.books(), calls: await world.sandbox.allRequests() };
  const lines = world.log.events('webhook_source_not_listed').length;
  const answer = await send(world.url, path, {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ abc_uid: svc_uid, merchant_uid: uid, status: 'paid' }),
  });
  return {
    ...answer,
    unchanged: (await world.rows.books()) === before.rows,
    calls: (await world.sandbox.allRequests()) - before.calls,
    securityLines: world.log.events('webhook_source_not_listed').length - lines,
  };
}
const REFUSED = { status: 403, unchanged: true, calls: 0, securityLines: 1 };
const PROCESSED = { status: 200, body: '{"outcome":"recorded"}', unchanged: false };
const via = (...lines: string[]) => ({ 'x-forwarded-for': lines });

test('A1 a stranger is refused before the body is read, with one line in the security log', async () => {
  expect(await notifyWith(direct, {})).toMatchObject(REFUSED);
});

test('A1 the refusal does not wait for the body', async () => {
  const headers = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n';
  const answer = await sendBytes(direct.url, `POST ${PATH} HTTP/1.1\r\n${headers}\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
});

test('A2 without a configured proxy X-Forwarded-For is not believed', async () => {
  expect(await notifyWith(direct, via(SERVICE_ADDRESS))).toMatchObject(REFUSED);
});

test('A3 a peer that is not the configured proxy is not believed', async () => {
  const world = await startWorld({ environment: { TRUSTED_PROXIES: '10.0.0.1' } });
  try {
    expect(await notifyWith(world, via(SERVICE_ADDRESS))).toMatchObject(REFUSED);
  } finally {
    await world.close();
  }
});

test('A4 an address that the attacker put in front is not the client', async () => {
  expect(await notifyWith(behindProxy, via(`${SERVICE_ADDRESS}, 6.6.6.6`))).toMatchObject(REFUSED);
});

test('A5 the address next to the trusted proxy is the client', async () => {
  expect(await notifyWith(behindProxy, via(`6.6.6.6, ${SERVICE_ADDRESS}`))).toMatchObject(PROCESSED);
});

test('A6 of two header lines the last one is nearest', async () => {
  expect(await notifyWith(behindProxy, via(SERVICE_ADDRESS, '6.6.6.6'))).toMatchObject(REFUSED);
  expect(await notifyWith(behindProxy, via('6.6.6.6', SERVICE_ADDRESS))).toMatchObject(PROCESSED);
});

test.each(['::ffff:52.78.100.19', '::ffff:344e:6413', '::FFFF:344E:6413'])(
  'A7 an IPv4 address in IPv6 clothes is the same address: %s',
  async (address) => {
    expect(await notifyWith(behindProxy, via(address))).toMatchObject(PROCESSED);
  },
);

test.each([
  '064.78.100.19',
  '877552659',
  '0x344e6413',
  '52.78.25619',
  '52.78.100.19:443',
  '"52.78.100.19"',
  '[52.78.100.19]',
  '[::ffff:52.78.100.19]',
  'unknown',
  '',
  ' ,',
  '52.78.100.19,',
])('A8 an odd spelling is refused: %j', async (address) => {
  expect(await notifyWith(behindProxy, via(address))).toMatchObject(REFUSED);
});

test('A8 a full-width digit is refused', async () => {
  const latin1 = Buffer.from('５2.78.100.19', 'utf8').toString('latin1');
  expect(await notifyWith(behindProxy, via(latin1))).toMatchObject(REFUSED);
});

test.each(['::52.78.100.19', '64:ff9b::344e:6413', '2002:344e:6413::', '::ffff:0:52.78.100.19'])(
  'A9 a look-alike is another address: %s',
  async (address) => {
    expect(await notifyWith(behindProxy, via(address))).toMatchObject(REFUSED);
  },
);

test.each(['X-Real-IP', 'Forwarded', 'CF-Connecting-IP', 'True-Client-IP', 'X-Client-IP'])(
  'A10 %s is not looked at',
  async (name) => {
    const value = name === 'Forwarded' ? `for=${SERVICE_ADDRESS}` : SERVICE_ADDRESS;
    expect(await notifyWith(behindProxy, { [name]: value })).toMatchObject(REFUSED);
    expect(await notifyWith(behindProxy, { [name]: value, ...via('6.6.6.6') })).toMatchObject(REFUSED);
  },
);

test.each([
  '/Webhooks/payments',
  '/webhooks/Payments',
  '/webhooks/payments/',
  '//webhooks/payments',
  '/webhooks//payments',
  '/webhooks/payment%73',
  '/./webhooks/payments',
  '/x/../webhooks/payments',
])('A11 %s is never a way around the check', async (path) => {
  const answer = await notifyWith(behindProxy, via('6.6.6.6'), path);
  expect([403, 404]).toContain(answer.status);
  expect(answer).toMatchObject({ unchanged: true, calls: 0 });
  // Who is listed is let in at the one path alone: no second spelling leads to the same route.
  const listed = await notifyWith(behindProxy, via(SERVICE_ADDRESS), path);
  expect(listed).toMatchObject({ status: 404, unchanged: true, calls: 0 });
});

test('A11 a method override is not looked at', async () => {
  const answer = await send(behindProxy.url, PATH, {
    method: 'GET',
    headers: { 'x-http-method-override': 'POST', ...via(SERVICE_ADDRESS) },
  });
  expect(answer.status).toBe(405);
  expect(answer.headers['allow']).toBe('POST');
});

test('A12 a socket without an address is nobody', () => {
  const gone = { socket: {}, headers: { 'x-forwarded-for': SERVICE_ADDRESS } };
  expect(sourceAddress(gone as never, parseAddressList(['127.0.0.1']).list)).toBeNull();
});

test('A13 from the test button: unknown ids are a test, real ones are processed', async () => {
  const before = await behindProxy.rows.money();
  const test = { svc_uid: 'svc_1234567890', merchant_uid: 'merchant_1234567890', status: 'ready' };
  expect(await behindProxy.notify(test, { source: TEST_BUTTON_ADDRESS })).toEqual({
    status: 200,
    outcome: 'test',
  });
  expect(await behindProxy.rows.money()).toBe(before);
  expect(await notifyWith(behindProxy, via(TEST_BUTTON_ADDRESS))).toMatchObject(PROCESSED);
});

test('A14 loopback is no source in production', () => {
  const { sourceAddresses } = loadConfig(PRODUCTION_ENVIRONMENT).webhook;
  expect(parseAddressList(sourceAddresses).list.includes('127.0.0.1')).toBe(false);
  expect(() =>
    loadConfig({ ...PRODUCTION_ENVIRONMENT, WEBHOOK_SOURCE_ADDRESSES: '52.78.100.19,127.0.0.1' }),
  ).toThrow(ConfigError);
});

test.each(['1', '2', 'true', 'loopback', '0.0.0.0/0', '::/0', '10.0.0.0/33', 'proxy.example.com'])(
  'A15 TRUSTED_PROXIES=%s is refused at the start',
  (value) => {
    expect(() => loadConfig({ ...PRODUCTION_ENVIRONMENT, TRUSTED_PROXIES: value })).toThrow(
      /TRUSTED_PROXIES/,
    );
  },
);

test('observe lets an unlisted source through, logs and counts it', async () => {
  const world = await startWorld({ environment: { WEBHOOK_SOURCE_CHECK: 'observe' } });
  try {
    expect(await notifyWith(world, via('6.6.6.6'))).toMatchObject({ ...PROCESSED, securityLines: 1 });
    const metrics = await send(world.url, '/metrics', { method: 'GET' });
    expect(metrics.body).toContain('merchant_webhook_unlisted_sources_total 1');
  } finally {
    await world.close();
  }
});
