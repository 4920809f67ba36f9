// A notification is read in every form that the service sends, and refused in every other (chapter B of
// docs/faults.md). What is refused is not stored, and causes no request to the service.

import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { eventually } from '../support/eventually';
import { expectNoEffect } from '../support/no-effect';
import { orderStatus, paySilently, registerOrder } from '../support/orders';
import { send, sendBytes, type RawAnswer } from '../support/raw-http';
import { useWorld } from '../support/use-world';
import { SERVICE_ADDRESS } from '../support/world';

const PATH = '/webhooks/payments';
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const world = useWorld();

type Headers = Record<string, string | string[]>;
const post = (body: string | Buffer, type: string | null = JSON_TYPE, headers: Headers = {}, path = PATH) =>
  send(world.url, path, {
    headers: {
      'x-forwarded-for': SERVICE_ADDRESS,
      ...(type === null ? {} : { 'content-type': type }),
      ...headers,
    },
    body,
  });

/** A paid order and the genuine notification about it. */
async function paid(): Promise<{ uid: string; svcUid: string; body: Record<string, string> }> {
  const uid = await registerOrder(world);
  const { svc_uid } = await paySilently(world, uid);
  return { uid, svcUid: svc_uid, body: { abc_uid: svc_uid, merchant_uid: uid, status: 'paid' } };
}

/** A request that must be answered with this status and have no effect. */
async function expectRefusal(act: () => Promise<RawAnswer>, status: number): Promise<void> {
  const answer = await expectNoEffect(world, act);
  expect(answer.status).toBe(status);
  if (status === 400) expect(JSON.parse(answer.body)).toEqual({ outcome: 'malformed' });
}

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])('B1 %s is 405', async (method) => {
  const answer = await send(world.url, PATH, { method, headers: { 'x-forwarded-for': SERVICE_ADDRESS } });
  expect(answer.status).toBe(405);
  expect(answer.headers['allow']).toBe('POST');
});

test.each([
  null,
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/vnd.api+json',
  'application/jsonx',
  '',
])('B2 content type %s is 415', async (type) => {
  const { body } = await paid();
  await expectRefusal(() => post(JSON.stringify(body), type), 415);
});

test('B3 the same notification as JSON and as form is judged alike', async () => {
  const one = await paid();
  const two = await paid();
  expect((await post(JSON.stringify(one.body))).body).toBe('{"outcome":"recorded"}');
  expect((await post(new URLSearchParams(two.body).toString(), FORM_TYPE)).body).toBe(
    '{"outcome":"recorded"}',
  );
  const rows = await world.rows.query(
    'select generation, claimed_status, source_address, outcome, attempts from notifications where svc_uid = any($1)',
    [[one.svcUid, two.svcUid]],
  );
  expect(rows).toHaveLength(2);
  expect(rows[0]).toEqual(rows[1]);
});

test.each(['euc-kr', 'utf-16', 'utf-16le', 'iso-8859-1'])('B4 charset %s is 415', async (charset) => {
  const { body } = await paid();
  await expectRefusal(() => post(JSON.stringify(body), `${JSON_TYPE}; charset=${charset}`), 415);
});

test.each(['utf-8', 'UTF-8', '"utf-8"'])('B4 charset %s is read', async (charset) => {
  const { body } = await paid();
  expect((await post(JSON.stringify(body), `${JSON_TYPE}; charset=${charset}`)).status).toBe(200);
});

test('B5 broken JSON is malformed, and its text is neither logged nor answered', async () => {
  await expectRefusal(() => post('{"abc_uid":"canary-of-a-body"'), 400);
  expect(world.log.text()).not.toContain('canary-of-a-body');
});

test('B5 invalid UTF-8 in an id is malformed', async () => {
  const bytes = Buffer.concat([
    Buffer.from('{"merchant_uid":"o","abc_uid":"a'),
    Buffer.from([0xc3, 0x28]),
    Buffer.from('"}'),
  ]);
  await expectRefusal(() => post(bytes), 400);
});

test.each(['"text"', '12', 'null', '[]', '[{"abc_uid":"a","merchant_uid":"b"}]', '', 'true', '{}'])(
  'B6 the body %j is malformed',
  async (body) => {
    await expectRefusal(() => post(body), 400);
  },
);

test('B7 a byte order mark before the JSON is no harm', async () => {
  const { body } = await paid();
  expect((await post(`\uFEFF${JSON.stringify(body)}`)).status).toBe(200);
});

test('B8 more than 16 kB is 413, compressed bodies are 415', async () => {
  const { body } = await paid();
  const large = JSON.stringify({ ...body, more: 'x'.repeat(17_000) });
  await expectRefusal(() => post(large), 413);
  await expectRefusal(
    () => post(gzipSync(Buffer.alloc(5_000_000)), JSON_TYPE, { 'content-encoding': 'gzip' }),
    415,
  );
});

test('B9 deep nesting is no crash', async () => {
  const deep = '['.repeat(7000) + ']'.repeat(7000);
  await expectRefusal(() => post(`{"abc_uid":${deep},"merchant_uid":"o"}`), 400);
});

test.each([
  ['a number', { abc_uid: 5, merchant_uid: 'o' }],
  ['an object', { abc_uid: 'a', merchant_uid: { not: '' } }],
  ['an array', { abc_uid: ['a'], merchant_uid: 'o' }],
  ['a status that is no text', { abc_uid: 'a', merchant_uid: 'o', status: {} }],
])('B10 %s is malformed', async (_name, body) => {
  await expectRefusal(() => post(JSON.stringify(body)), 400);
});

test('B10 a doubled form key is malformed', async () => {
  await expectRefusal(() => post('abc_uid=a&abc_uid=b&merchant_uid=o', FORM_TYPE), 400);
});

test.each([
  ['a missing id', { merchant_uid: 'o' }],
  ['an empty id', { abc_uid: '', merchant_uid: 'o' }],
  ['an id of 65 characters', { abc_uid: 'a'.repeat(65), merchant_uid: 'o' }],
  ['an order id of 65 characters', { abc_uid: 'a', merchant_uid: 'o'.repeat(65) }],
  ['the document’s own prefix where the service has another', { svc_uid: 'a', merchant_uid: 'o' }],
])('B11 %s is malformed', async (_name, body) => {
  await expectRefusal(() => post(JSON.stringify(body)), 400);
});

test('B12 further keys are dropped, and prototypes stay clean', async () => {
  const { body } = await paid();
  const text = JSON.stringify({ ...body, more: 1 }).replace(
    '{',
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},',
  );
  expect((await post(text)).body).toBe('{"outcome":"recorded"}');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test.each(['a\u0000b', 'a\r\nb', 'a\tb', '\ud800', 'a\u200bb', 'a\u00a0b', '１２', 'a b', 'ä'])(
  'B13 %j is no id',
  async (id) => {
    await expectRefusal(() => post(JSON.stringify({ abc_uid: id, merchant_uid: 'o' })), 400);
    await expectRefusal(() => post(JSON.stringify({ abc_uid: 'a', merchant_uid: id })), 400);
  },
);

test.each(['something_new', 'PAID', 'virtual_account_issued', ''])(
  'B14 whatever the word %j says, the fetched status counts',
  async (status) => {
    const { body, uid } = await paid();
    expect((await post(JSON.stringify({ ...body, status }))).body).toBe('{"outcome":"recorded"}');
    expect(await orderStatus(world, uid)).toBe('paid');
  },
);

test('B15 a body of the newer generation gets the same verdict through GET /v2/payments', async () => {
  const { uid, svcUid } = await paid();
  const fetches = await world.sandbox.requestsDuring('GET /v2/payments/:payment_id', async () => {
    const answer = await post(JSON.stringify({ tx_id: svcUid, payment_id: uid, status: 'PAID' }));
    expect(answer.body).toBe('{"outcome":"recorded"}');
  });
  expect(fetches).toBe(1);
  expect((await world.api('GET', `/api/payments/${svcUid}`)).body).toMatchObject({
    status: 'paid',
    amount: 1000,
  });
});

test('B15 a body that mixes both generations is malformed', async () => {
  const { uid, svcUid } = await paid();
  await expectRefusal(
    () => post(JSON.stringify({ abc_uid: svcUid, merchant_uid: uid, tx_id: svcUid, payment_id: uid })),
    400,
  );
});

test('B16 of duplicate JSON keys the last is verified as usual', async () => {
  const { body } = await paid();
  expect((await post(JSON.stringify(body).replace('{', '{"abc_uid":"other",'))).body).toBe(
    '{"outcome":"recorded"}',
  );
});

test('B17 fields in the query string are not looked at', async () => {
  const { body } = await paid();
  const query = new URLSearchParams(body).toString();
  await expectRefusal(() => post('{}', JSON_TYPE, {}, `${PATH}?${query}`), 400);
});

test.each([
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', /400/],
  [
    'length and chunks',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    /400/,
  ],
  ['bare line feeds', 'POST / HTTP/1.1\nHost: x\nContent-Length: 0\n\n', /400/],
  ['no Host', `POST ${PATH} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`, /400/],
  ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: evil.example\r\n\r\n', /400/],
  ['the same Host twice', 'GET /healthz HTTP/1.1\r\nHost: x\r\nhOST: x\r\n\r\n', /400/],
  ['20 kB of headers', `POST / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, /431/],
])('B18 %s is refused by the parser', async (_name, bytes, status) => {
  expect(await sendBytes(world.url, bytes)).toMatch(status);
});

test('B21 a sender that hangs up is still heard', async () => {
  const { body, uid } = await paid();
  const text = JSON.stringify(body);
  const { hostname, port } = new URL(world.url);
  await new Promise<void>((resolve) => {
    const socket: Socket = connect(Number(port), hostname, () => {
      socket.end(
        `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${SERVICE_ADDRESS}\r\nContent-Type: ${JSON_TYPE}\r\n` +
          `Content-Length: ${text.length}\r\n\r\n${text}`,
        () => {
          socket.destroy();
          resolve();
        },
      );
    });
  });
  await eventually(async () => (await orderStatus(world, uid)) === 'paid');
});

test('B23 more than 20 form parameters are refused, and not logged', async () => {
  const parameters = Array.from({ length: 21 }, (_, i) => `p${i}=canary-of-a-form`).join('&');
  await expectRefusal(() => post(parameters, FORM_TYPE), 413);
  expect(world.log.text()).not.toContain('canary-of-a-form');
});
