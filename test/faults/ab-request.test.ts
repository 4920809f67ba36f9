// A notification is accepted only from the service's addresses, with and without a reverse proxy (chapter A of
// docs/13-faults.md), and only in the formats that the service sends (chapter B). A refused notification is not stored and causes
// no request to the service. Addresses: test/merchant/core/webhooks/judge-source.test.ts; ids and statuses in a body:
// parse-notification.test.ts beside it.

import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { eventually } from '../support/eventually';
import { metric } from '../support/metrics';
import { orderStatus, paySilently, registerOrder } from '../support/orders';
import { send, sendBytes } from '../support/raw-http';
import { expectNoEffect } from '../support/rows';
import { useWorld } from '../support/use-world';
import { SERVICE_ADDRESS, TEST_BUTTON_ADDRESS } from '../support/world';

const PATH = '/webhooks/payments';
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const STRANGER = '6.6.6.6';
const world = useWorld();
const direct = useWorld({ environment: { TRUSTED_PROXIES: '' } });

type Headers = Record<string, string | string[]>;
const via = (...lines: string[]): Headers => ({ 'x-forwarded-for': lines });

function post(body: string | Buffer, type: string | null = JSON_TYPE, more: Headers = {}, path = PATH) {
  const headers = { 'x-forwarded-for': SERVICE_ADDRESS, ...(type !== null && { 'content-type': type }) };
  return send(world.url, path, { headers: { ...headers, ...more }, body });
}

/** A paid order and the genuine notification about it. */
async function paid(ofWorld = world) {
  const uid = await registerOrder(ofWorld);
  const { svc_uid } = await paySilently(ofWorld, uid);
  return { uid, svcUid: svc_uid, body: { abc_uid: svc_uid, merchant_uid: uid, status: 'paid' } };
}
const paidText = async (ofWorld = world) => JSON.stringify((await paid(ofWorld)).body);

async function expectRecorded(...sent: Parameters<typeof post>): Promise<void> {
  expect((await post(...sent)).body).toBe('{"outcome":"recorded"}');
}

/** A body that must be answered with this status and have no effect. */
async function expectRefusal(status: number, ...sent: Parameters<typeof post>): Promise<void> {
  const answer = await expectNoEffect(world, () => post(...sent));
  expect([answer.status, answer.body]).toEqual([status, '{"outcome":"malformed"}']);
}

/** A genuine notification, from an address that is not the service's. */
async function expectForbidden(ofWorld: typeof world, headers: Headers): Promise<void> {
  const body = await paidText(ofWorld);
  const notify = () => send(ofWorld.url, PATH, { headers: { 'content-type': JSON_TYPE, ...headers }, body });
  const refusals = () => ofWorld.log.events('webhook_source_not_listed').length;
  const before = refusals();
  expect((await expectNoEffect(ofWorld, notify)).status).toBe(403);
  expect(refusals()).toBe(before + 1);
}

const UNLISTED = 'merchant_webhook_unlisted_sources_total';

test('A1 a request from an unlisted address is refused before its body is read, and logged', async () => {
  const counted = await metric(direct, UNLISTED);
  await expectForbidden(direct, {});
  expect(await metric(direct, UNLISTED)).toBe(counted + 1);
});

test('A1 the refusal does not wait for the body', async () => {
  const headers = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n';
  const answer = await sendBytes(direct.url, `POST ${PATH} HTTP/1.1\r\n${headers}\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
});

test('A2 X-Forwarded-For is ignored when no proxy is configured', async () => {
  // The setting to change is logged once in five minutes.
  direct.clock.advance(5 * 60);
  await expectForbidden(direct, via(SERVICE_ADDRESS));
  const said = { kind: 'proxy_not_trusted', fix: 'Set TRUSTED_PROXIES=127.0.0.1 and restart.' };
  expect(direct.log.events('webhook_sender_hidden').at(-1)).toMatchObject(said);
});

test('A4 an address that an attacker prepends to X-Forwarded-For is ignored', () =>
  expectForbidden(world, via(`${SERVICE_ADDRESS}, ${STRANGER}`)));

test('A6 the last of two X-Forwarded-For lines counts', async () => {
  await expectForbidden(world, via(SERVICE_ADDRESS, STRANGER));
  await expectRecorded(await paidText(), JSON_TYPE, via(STRANGER, SERVICE_ADDRESS));
});

test.each(['/Webhooks/payments', '/webhooks/payments/', '//webhooks/payments', '/x/../webhooks/payments'])(
  'A11 the path %s does not bypass the check',
  async (path) => {
    // Listed senders can use only this path: no other spelling reaches the route.
    for (const source of [STRANGER, SERVICE_ADDRESS]) {
      const body = await paidText();
      const notify = () => post(body, JSON_TYPE, via(source), path);
      expect((await expectNoEffect(world, notify)).status).toBe(404);
    }
  },
);

test('A11 a method override header is ignored', async () => {
  const headers = { 'x-http-method-override': 'POST', ...via(SERVICE_ADDRESS) };
  expect((await send(world.url, PATH, { method: 'GET', headers })).status).toBe(405);
});

test('A13 a notification from the test button is processed if its ids exist', async () => {
  const before = await world.rows.money();
  const test = { svc_uid: 'svc_1234567890', merchant_uid: 'merchant_1234567890', status: 'ready' };
  const answer = await world.notify(test, { source: TEST_BUTTON_ADDRESS });
  expect(answer).toEqual({ status: 200, outcome: 'test' });
  expect(await world.rows.money()).toBe(before);
  await expectRecorded(await paidText(), JSON_TYPE, via(TEST_BUTTON_ADDRESS));
});

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
  'B1 the method %s gets a 405',
  async (method) => {
    const answer = await send(world.url, PATH, { method, headers: { 'x-forwarded-for': SERVICE_ADDRESS } });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  },
);

test.each([null, 'text/plain', 'multipart/form-data; boundary=x', 'application/vnd.api+json', ''])(
  'B2 the content type %s gets a 415',
  async (type) => expectRefusal(415, await paidText(), type),
);

test('B3 a notification gets the same result as JSON and as a form', async () => {
  const [one, two] = [await paid(), await paid()];
  await expectRecorded(JSON.stringify(one.body));
  await expectRecorded(new URLSearchParams(two.body).toString(), FORM_TYPE);
  const rows = await world.rows.query(
    `select distinct generation, claimed_status, source_address, outcome, attempts
     from notifications where svc_uid = any($1)`,
    [[one.svcUid, two.svcUid]],
  );
  expect(rows).toHaveLength(1);
});

test.each(['euc-kr', 'utf-16', 'iso-8859-1'])('B4 the charset %s gets a 415', async (charset) =>
  expectRefusal(415, await paidText(), `${JSON_TYPE}; charset=${charset}`),
);

test.each(['utf-8', 'UTF-8', '"utf-8"'])('B4 the charset %s is accepted', async (charset) => {
  await expectRecorded(await paidText(), `${JSON_TYPE}; charset=${charset}`);
});

test('B5 broken JSON is malformed, and its text is neither logged nor sent back', async () => {
  await expectRefusal(400, '{"abc_uid":"canary-of-a-body"');
  expect(world.log.text()).not.toContain('canary-of-a-body');
});

test('B5 invalid UTF-8 in an id is malformed', async () => {
  await expectRefusal(400, Buffer.from('{"merchant_uid":"o","abc_uid":"a\xc3\x28"}', 'latin1'));
});

test.each(['"text"', 'null', '[]', '[{"abc_uid":"a","merchant_uid":"b"}]', '', '{}'])(
  'B6 the body %j is malformed',
  (body) => expectRefusal(400, body),
);

test('B7 JSON after a byte order mark is accepted', async () => {
  await expectRecorded(`\uFEFF${await paidText()}`);
});

test('B8 a body over 16 kB gets a 413, and a compressed body a 415', async () => {
  const { body } = await paid();
  await expectRefusal(413, JSON.stringify({ ...body, more: 'x'.repeat(17_000) }));
  await expectRefusal(415, gzipSync(Buffer.alloc(5_000_000)), JSON_TYPE, { 'content-encoding': 'gzip' });
});

test('B9 deeply nested JSON is malformed', async () => {
  const deep = '['.repeat(7000) + ']'.repeat(7000);
  await expectRefusal(400, `{"abc_uid":${deep},"merchant_uid":"o"}`);
});

test('B10 a form with the same key twice is malformed', () =>
  expectRefusal(400, 'abc_uid=a&abc_uid=b&merchant_uid=o', FORM_TYPE));

test('B12 unknown keys are dropped, and no prototype is changed', async () => {
  const polluting = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"more":1,';
  await expectRecorded((await paidText()).replace('{', polluting));
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test.each(['something_new', 'virtual_account_issued', ''])(
  'B14 the notified status %j is ignored: the fetched status counts',
  async (status) => {
    const { body, uid } = await paid();
    await expectRecorded(JSON.stringify({ ...body, status }));
    expect(await orderStatus(world, uid)).toBe('paid');
  },
);

test('B15 a body of the newer generation gets the same result through GET /v2/payments', async () => {
  const { uid, svcUid } = await paid();
  const body = JSON.stringify({ tx_id: svcUid, payment_id: uid, status: 'PAID' });
  const notify = async () => await expectRecorded(body);
  expect(await world.sandbox.requestsDuring('GET /v2/payments/:payment_id', notify)).toBe(1);
  expect(await orderStatus(world, uid)).toBe('paid');
});

test('B16 the last of duplicate JSON keys is verified', async () => {
  await expectRecorded((await paidText()).replace('{', '{"abc_uid":"other",'));
});

test('B17 fields in the query string are ignored', async () => {
  const query = new URLSearchParams((await paid()).body).toString();
  await expectRefusal(400, '{}', JSON_TYPE, {}, `${PATH}?${query}`);
});

const POST = 'POST / HTTP/1.1\r\nHost: x\r\n';
test.each([
  ['two lengths', `${POST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, /400/],
  ['length and chunks', `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, /400/],
  ['bare line feeds', 'POST / HTTP/1.1\nHost: x\nContent-Length: 0\n\n', /400/],
  ['no Host', `POST ${PATH} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`, /400/],
  ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: evil.example\r\n\r\n', /400/],
  ['20 kB of headers', `${POST}X: ${'x'.repeat(20_000)}\r\n\r\n`, /431/],
])('B18 a request with %s is refused by the HTTP parser', async (_name, bytes, status) => {
  expect(await sendBytes(world.url, bytes)).toMatch(status);
});

test('B21 a notification is processed even if its sender disconnects', async () => {
  const { body, uid } = await paid();
  const text = JSON.stringify(body);
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${SERVICE_ADDRESS}\r\n`);
  socket.write(`Content-Type: ${JSON_TYPE}\r\nContent-Length: ${text.length}\r\n\r\n`);
  socket.end(text, () => socket.destroy());
  await eventually(async () => (await orderStatus(world, uid)) === 'paid');
});

test('B23 a form with more than 20 parameters is refused and not logged', async () => {
  const parameters = Array.from({ length: 21 }, (_, i) => `p${i}=canary-of-a-form`).join('&');
  await expectRefusal(413, parameters, FORM_TYPE);
  expect(world.log.text()).not.toContain('canary-of-a-form');
});
