// A notification is read in every form that the service sends, and refused in every other (chapter B of docs/faults.md). What
// is refused is not stored, and causes no request to the service. Which ids and words a body may hold is tested in
// test/merchant/webhooks/parse-notification.test.ts.

import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { eventually } from '../support/eventually';
import { orderStatus, paySilently, registerOrder } from '../support/orders';
import { send, sendBytes } from '../support/raw-http';
import { expectNoEffect } from '../support/rows';
import { useWorld } from '../support/use-world';
import { SERVICE_ADDRESS } from '../support/world';

const PATH = '/webhooks/payments';
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const world = useWorld();

function post(body: string | Buffer, type: string | null = JSON_TYPE, more: object = {}, path = PATH) {
  const headers = { 'x-forwarded-for': SERVICE_ADDRESS, ...(type !== null && { 'content-type': type }) };
  return send(world.url, path, { headers: { ...headers, ...more }, body });
}

/** A paid order and the genuine notification about it. */
async function paid() {
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid);
  return { uid, svcUid: svc_uid, body: { abc_uid: svc_uid, merchant_uid: uid, status: 'paid' } };
}
const paidText = async () => JSON.stringify((await paid()).body);

async function expectRecorded(...sent: Parameters<typeof post>): Promise<void> {
  expect((await post(...sent)).body).toBe('{"outcome":"recorded"}');
}

/** A body that must be answered with this status and have no effect. */
async function expectRefusal(status: number, ...sent: Parameters<typeof post>): Promise<void> {
  const answer = await expectNoEffect(world, () => post(...sent));
  expect([answer.status, answer.body]).toEqual([status, '{"outcome":"malformed"}']);
}

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])('B1 %s is 405', async (method) => {
  const answer = await send(world.url, PATH, { method, headers: { 'x-forwarded-for': SERVICE_ADDRESS } });
  expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } });
});

test.each([null, 'text/plain', 'multipart/form-data; boundary=x', 'application/vnd.api+json', ''])(
  'B2 content type %s is 415',
  async (type) => expectRefusal(415, await paidText(), type),
);

test('B3 the same notification as JSON and as form is judged alike', async () => {
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

test.each(['euc-kr', 'utf-16', 'iso-8859-1'])('B4 charset %s is 415', async (charset) =>
  expectRefusal(415, await paidText(), `${JSON_TYPE}; charset=${charset}`),
);

test.each(['utf-8', 'UTF-8', '"utf-8"'])('B4 charset %s is read', async (charset) => {
  await expectRecorded(await paidText(), `${JSON_TYPE}; charset=${charset}`);
});

test('B5 broken JSON is malformed, and its text is neither logged nor answered', async () => {
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

test('B7 a byte order mark before the JSON is no harm', async () => {
  await expectRecorded(`\uFEFF${await paidText()}`);
});

test('B8 more than 16 kB is 413, compressed bodies are 415', async () => {
  const { body } = await paid();
  await expectRefusal(413, JSON.stringify({ ...body, more: 'x'.repeat(17_000) }));
  await expectRefusal(415, gzipSync(Buffer.alloc(5_000_000)), JSON_TYPE, { 'content-encoding': 'gzip' });
});

test('B9 deep nesting is no crash', async () => {
  const deep = '['.repeat(7000) + ']'.repeat(7000);
  await expectRefusal(400, `{"abc_uid":${deep},"merchant_uid":"o"}`);
});

test('B10 a doubled form key is malformed', () =>
  expectRefusal(400, 'abc_uid=a&abc_uid=b&merchant_uid=o', FORM_TYPE));

test('B12 further keys are dropped, and prototypes stay clean', async () => {
  const polluting = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"more":1,';
  await expectRecorded((await paidText()).replace('{', polluting));
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test.each(['something_new', 'virtual_account_issued', ''])(
  'B14 whatever the word %j says, the fetched status counts',
  async (status) => {
    const { body, uid } = await paid();
    await expectRecorded(JSON.stringify({ ...body, status }));
    expect(await orderStatus(world, uid)).toBe('paid');
  },
);

test('B15 a body of the newer generation gets the same verdict through GET /v2/payments', async () => {
  const { uid, svcUid } = await paid();
  const body = JSON.stringify({ tx_id: svcUid, payment_id: uid, status: 'PAID' });
  const notify = async () => await expectRecorded(body);
  expect(await world.sandbox.requestsDuring('GET /v2/payments/:payment_id', notify)).toBe(1);
  expect(await orderStatus(world, uid)).toBe('paid');
});

test('B16 of duplicate JSON keys the last is verified as usual', async () => {
  await expectRecorded((await paidText()).replace('{', '{"abc_uid":"other",'));
});

test('B17 fields in the query string are not looked at', async () => {
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
])('B18 %s is refused by the parser', async (_name, bytes, status) => {
  expect(await sendBytes(world.url, bytes)).toMatch(status);
});

test('B21 a sender that hangs up is still heard', async () => {
  const { body, uid } = await paid();
  const text = JSON.stringify(body);
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${SERVICE_ADDRESS}\r\n`);
  socket.write(`Content-Type: ${JSON_TYPE}\r\nContent-Length: ${text.length}\r\n\r\n`);
  socket.end(text, () => socket.destroy());
  await eventually(async () => (await orderStatus(world, uid)) === 'paid');
});

test('B23 more than 20 form parameters are refused, and not logged', async () => {
  const parameters = Array.from({ length: 21 }, (_, i) => `p${i}=canary-of-a-form`).join('&');
  await expectRefusal(413, parameters, FORM_TYPE);
  expect(world.log.text()).not.toContain('canary-of-a-form');
});
