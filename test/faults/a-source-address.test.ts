// A notification is taken from the service's addresses alone, behind a reverse proxy and without one (chapter A of
// docs/faults.md). How addresses are read is tested in test/merchant/webhooks/judge-source.test.ts.

import { metric } from '../support/card-form';
import { paySilently, registerOrder } from '../support/orders';
import { send, sendBytes } from '../support/raw-http';
import { expectNoEffect } from '../support/rows';
import { useWorld } from '../support/use-world';
import { SERVICE_ADDRESS, TEST_BUTTON_ADDRESS, type World } from '../support/world';

const PATH = '/webhooks/payments';
const STRANGER = '6.6.6.6';
const behindProxy = useWorld();
const direct = useWorld({ environment: { TRUSTED_PROXIES: '' } });

type Headers = Record<string, string | string[]>;
const via = (...lines: string[]): Headers => ({ 'x-forwarded-for': lines });

/** Pays an order. Returns what sends the genuine notification about it. */
async function payOrder(world: World, headers: Headers, path = PATH) {
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid);
  const body = JSON.stringify({ abc_uid: svc_uid, merchant_uid: uid, status: 'paid' });
  return () => send(world.url, path, { headers: { 'content-type': 'application/json', ...headers }, body });
}

async function expectRefused(world: World, headers: Headers): Promise<void> {
  const notify = await payOrder(world, headers);
  const refusals = () => world.log.events('webhook_source_not_listed').length;
  const before = refusals();
  expect((await expectNoEffect(world, notify)).status).toBe(403);
  expect(refusals()).toBe(before + 1);
}

async function expectRecorded(headers: Headers): Promise<void> {
  const notify = await payOrder(behindProxy, headers);
  expect((await notify()).body).toBe('{"outcome":"recorded"}');
}

const UNLISTED = 'merchant_webhook_unlisted_sources_total';

test('A1 a stranger is refused before the body is read, with one line in the security log', async () => {
  const counted = await metric(direct, UNLISTED);
  await expectRefused(direct, {});
  expect(await metric(direct, UNLISTED)).toBe(counted + 1);
});

test('A1 the refusal does not wait for the body', async () => {
  const headers = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n';
  const answer = await sendBytes(direct.url, `POST ${PATH} HTTP/1.1\r\n${headers}\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
});

test('A2 without a configured proxy X-Forwarded-For is not believed', async () => {
  // What is to be set is said once in five minutes.
  direct.clock.advance(5 * 60);
  await expectRefused(direct, via(SERVICE_ADDRESS));
  const said = { kind: 'proxy_not_trusted', fix: 'Set TRUSTED_PROXIES=127.0.0.1 and restart.' };
  expect(direct.log.events('webhook_sender_hidden').at(-1)).toMatchObject(said);
});

test('A4 an address that the attacker put in front is not the client', () =>
  expectRefused(behindProxy, via(`${SERVICE_ADDRESS}, ${STRANGER}`)));

test('A6 of two header lines the last one is nearest', async () => {
  await expectRefused(behindProxy, via(SERVICE_ADDRESS, STRANGER));
  await expectRecorded(via(STRANGER, SERVICE_ADDRESS));
});

test.each(['/Webhooks/payments', '/webhooks/payments/', '//webhooks/payments', '/x/../webhooks/payments'])(
  'A11 %s is never a way around the check',
  async (path) => {
    // Who is listed is let in at the one path alone: no second spelling leads to the same route.
    for (const source of [STRANGER, SERVICE_ADDRESS]) {
      const notify = await payOrder(behindProxy, via(source), path);
      expect((await expectNoEffect(behindProxy, notify)).status).toBe(404);
    }
  },
);

test('A11 a method override is not looked at', async () => {
  const headers = { 'x-http-method-override': 'POST', ...via(SERVICE_ADDRESS) };
  expect((await send(behindProxy.url, PATH, { method: 'GET', headers })).status).toBe(405);
});

test('A13 from the test button: unknown ids are a test, real ones are processed', async () => {
  const before = await behindProxy.rows.money();
  const test = { svc_uid: 'svc_1234567890', merchant_uid: 'merchant_1234567890', status: 'ready' };
  const answer = await behindProxy.notify(test, { source: TEST_BUTTON_ADDRESS });
  expect(answer).toEqual({ status: 200, outcome: 'test' });
  expect(await behindProxy.rows.money()).toBe(before);
  await expectRecorded(via(TEST_BUTTON_ADDRESS));
});
