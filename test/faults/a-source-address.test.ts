// A notification is taken from the service's addresses alone, behind a reverse proxy and without one (chapter A of
// docs/faults.md). How addresses are read is tested in test/merchant/webhooks/judge-source.test.ts.

import { metric } from '../support/card-attempts';
import { API_KEY } from '../support/config';
import { paySilently, registerOrder } from '../support/orders';
import { send, sendBytes, type RawAnswer } from '../support/raw-http';
import { useWorld } from '../support/use-world';
import { SERVICE_ADDRESS, TEST_BUTTON_ADDRESS, type World } from '../support/world';

const PATH = '/webhooks/payments';
const STRANGER = '6.6.6.6';
const behindProxy = useWorld();
const direct = useWorld({ environment: { TRUSTED_PROXIES: '' } });

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
  const counted = await metric(direct, 'merchant_webhook_unlisted_sources_total');
  expect(await notifyWith(direct, {})).toMatchObject(REFUSED);
  expect(await metric(direct, 'merchant_webhook_unlisted_sources_total')).toBe(counted + 1);
});

test('A1 the refusal does not wait for the body', async () => {
  const headers = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n';
  const answer = await sendBytes(direct.url, `POST ${PATH} HTTP/1.1\r\n${headers}\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
});

test('A2 without a configured proxy X-Forwarded-For is not believed', async () => {
  expect(await notifyWith(direct, via(SERVICE_ADDRESS))).toMatchObject(REFUSED);
});

test('a refusal behind a proxy that nobody has named comes with a line that says what to set', async () => {
  // It comes once in five minutes.
  direct.clock.advance(5 * 60);
  await notifyWith(direct, via(SERVICE_ADDRESS));
  expect(direct.log.events('webhook_sender_hidden').at(-1)).toMatchObject({
    kind: 'proxy_not_trusted',
    refused: true,
    fix: 'Set TRUSTED_PROXIES=127.0.0.1 and restart.',
  });
});

test('A4 an address that the attacker put in front is not the client', async () => {
  expect(await notifyWith(behindProxy, via(`${SERVICE_ADDRESS}, ${STRANGER}`))).toMatchObject(REFUSED);
});

test('A6 of two header lines the last one is nearest', async () => {
  expect(await notifyWith(behindProxy, via(SERVICE_ADDRESS, STRANGER))).toMatchObject(REFUSED);
  expect(await notifyWith(behindProxy, via(STRANGER, SERVICE_ADDRESS))).toMatchObject(PROCESSED);
});

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
  // Who is listed is let in at the one path alone: no second spelling leads to the same route.
  for (const source of [STRANGER, SERVICE_ADDRESS])
    expect(await notifyWith(behindProxy, via(source), path)).toMatchObject({
      status: 404,
      unchanged: true,
      calls: 0,
    });
});

test('A11 a method override is not looked at', async () => {
  const answer = await send(behindProxy.url, PATH, {
    method: 'GET',
    headers: { 'x-http-method-override': 'POST', ...via(SERVICE_ADDRESS) },
  });
  expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } });
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

test('GET /api/source-address says what the webhook would do, and leaves no trace', async () => {
  const traces = async () => ({
    rows: await behindProxy.rows.books(),
    counted: await metric(behindProxy, 'merchant_webhook_unlisted_sources_total'),
    lines: behindProxy.log.events('webhook_source_not_listed').length,
  });
  const before = await traces();
  for (const [source, webhook] of [
    [`${STRANGER}, ${SERVICE_ADDRESS}`, 'let_in'],
    [`${SERVICE_ADDRESS}, ${STRANGER}`, 'refused'],
    ['unknown', 'refused'],
  ] as const) {
    const headers = { authorization: `Bearer ${API_KEY}`, ...via(source) };
    const answer = await send(behindProxy.url, '/api/source-address', { method: 'GET', headers });
    expect(JSON.parse(answer.body)).toMatchObject({ peer: '127.0.0.1', trusted: true, webhook });
  }
  expect(await traces()).toEqual(before);
});
