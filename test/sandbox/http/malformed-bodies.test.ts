// Bodies at the controls and the console that no program and no browser would send: each is a 4xx, never a 500, and
// changes nothing.

import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { send, sendBytes } from '../../support/raw-http';
import { runSandbox, type Running } from '../../support/running-sandbox';

let service: Running;
beforeAll(async () => {
  service = await runSandbox();
});
beforeEach(async () => {
  await service.control('POST', '/reset');
  await service.signIn();
});
afterAll(() => service.close());

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

const post = (path: string, type: string, body: string | Buffer, headers: object = {}) =>
  send(service.url, path, {
    method: path === '/_sandbox/settings' ? 'PATCH' : 'POST',
    headers: { 'content-type': type, ...headers },
    body,
  });
const settings = async () => (await service.control('GET', '/settings')).body;

const places = [
  { path: '/_sandbox/settings', type: JSON_TYPE, body: '{"legacy_sends":2}' },
  { path: '/_sandbox/payments', type: JSON_TYPE, body: '{"merchant_uid":"order-1","amount":1}' },
  { path: '/_sandbox/faults', type: JSON_TYPE, body: '{"endpoint":"GET /payments"}' },
  { path: '/console/settings', type: FORM, body: 'webhook_url=&legacy_sends=2' },
  { path: '/console/pay', type: FORM, body: 'merchant_uid=order-1&amount=1' },
  { path: '/console/faults', type: FORM, body: 'endpoint=GET+/payments' },
];

describe.each(places)('at $path', ({ path, type, body }) => {
  const limit = path.startsWith('/console') ? 100 : 1000;
  const isForm = type === FORM;

  test.each<[string, number, string, string | Buffer, object]>([
    ['in UTF-16', 415, `${type}; charset=utf-16`, Buffer.from(body, 'utf16le'), {}],
    ['in a Korean charset', 415, `${type}; charset=EUC-KR`, body, {}],
    ['in an unknown charset', 415, `${type}; charset="none"`, body, {}],
    ['compressed', 415, type, gzipSync(body), { 'content-encoding': 'gzip' }],
    [
      'compressed and cut off',
      415,
      type,
      deflateSync(body).subarray(0, 5),
      { 'content-encoding': 'deflate' },
    ],
    ['in an unknown encoding', 415, type, body, { 'content-encoding': 'none' }],
    ['of another content type', 415, isForm ? JSON_TYPE : FORM, body, {}],
    ['of no content type', 415, '', body, {}],
    ['of parts', 415, 'multipart/form-data; boundary=x', `--x\r\n\r\n${body}\r\n--x--`, {}],
    ['too large', 413, type, `${body}${(isForm ? '&a=x' : '     ').repeat(limit * 300)}`, {}],
    [isForm ? 'of 1001 fields' : 'nested too often', isForm ? 413 : 400, type, tooMuch(isForm), {}],
    ['absent', 400, type, '', {}],
    ['of nothing but noise', 400, type, isForm ? '&&=&%ff=%' : '\u0000{', {}],
    [isForm ? 'of arrays' : 'an array', 400, type, isForm ? body.replaceAll('=', '[]=') : `[${body}]`, {}],
    ['without a field', 400, type, isForm ? 'a=1' : '{"a":1}', {}],
    ['empty', 400, type, isForm ? '=' : '{}', {}],
  ])('a body %s is refused', async (_, status, contentType, content, headers) => {
    const before = await settings();
    const answer = await post(path, contentType, content, headers);
    expect(answer.status).toBe(status);
    if (isForm) expect(answer.body).toContain('role="alert"');
    else expect(JSON.parse(answer.body)).toEqual({ code: -1, message: expect.any(String), response: null });
    expect(await settings()).toEqual(before);
    expect((await service.get('/payments/find/order-1')).status).toBe(404);
    expect((await service.control('GET', '/faults')).body.faults).toEqual([]);
  });

  test('the body itself is taken, also with its charset named', async () => {
    expect((await post(path, `${type}; charset=UTF-8`, body)).status).toBeLessThan(400);
  });
});

test('refuses wrong settings by their names', async () => {
  for (const [field, value] of Object.entries({
    webhook_url: 5,
    content_type: 'xml',
    generation: null,
    legacy_sends: [],
    webhook_before_redirect: 'yes',
    billing_key_payments_shape: {},
    shuffle_arrival: 1,
    resend_unless_ok: 'on',
    refuse_local_addresses: 'yes',
    operation_errors: 'both',
    test_channel: 'true',
    newer_shows_channel: 'yes',
  })) {
    const answer = await service.settings({ [field]: value });
    expect([answer.status, answer.body.message.split(':')[0]]).toEqual([400, field]);
  }
});

test('has no action that is named like what every object has', async () => {
  const { svc_uid } = await service.pay();
  for (const action of ['constructor', '__proto__', 'toString'])
    expect((await post(`/console/payments/${svc_uid}/${action}`, FORM, 'a=1')).status).toBe(404);
});

test('refuses a path that cannot be decoded', async () => {
  expect((await post('/_sandbox/payments/%ff/cancel', JSON_TYPE, '{}')).status).toBe(400);
  expect((await post('/console/payments/%ff/cancel', FORM, 'a=1')).status).toBe(400);
});

test('refuses a fault with headers that could not be sent, and a clock beyond the year 2106', async () => {
  for (const headers of [
    { 'a b': 'x' },
    { a: 'x\r\ny: z' },
    { 'Transfer-Encoding': 'chunked' },
    { trailer: 'a' },
  ]) {
    const answer = await service.control('POST', '/faults', { endpoint: 'GET /payments', headers });
    expect([answer.status, answer.body.message.split(':')[0]]).toEqual([400, 'headers']);
  }
  for (let year = 0; year < 78; year += 1) expect((await service.advance(366 * 86_400)).status).toBe(200);
  const beyond = await service.advance(366 * 86_400);
  expect([beyond.status, beyond.body.message]).toEqual([400, expect.stringContaining('advance_seconds')]);
  expect((await service.call('GET', '/console')).status).toBe(200);
});

describe('half a request', () => {
  test.each([
    [
      'half a body at the controls',
      'PATCH /_sandbox/settings',
      `Content-Type: ${JSON_TYPE}\r\n`,
      '\r\n{"a":',
    ],
    ['half a form at the console', 'POST /console/pay', `Content-Type: ${FORM}\r\n`, '\r\na='],
    ['half a body of an operation', 'POST /payments/cancel', `Content-Type: ${JSON_TYPE}\r\n`, '\r\n{"a":'],
    ['half a head', 'GET /console', '', ''],
  ])('is ended with a 408: %s', async (_, request, header, start) => {
    const impatient = await runSandbox({ requestTimeoutMs: 100 });
    const authorization = `Authorization: ${await impatient.signIn()}\r\n`;
    const head = `${request} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n${authorization}${header}`;
    expect(await sendBytes(impatient.url, head + start)).toBe('HTTP/1.1 408 Request Timeout');
    await impatient.close();
  });

  test('is ended within 15 seconds unless set otherwise', () => {
    // The server looks once a second.
    expect(service.sandbox.service.config.requestTimeoutMs + 1000).toBeLessThan(15_000);
  });
});

test('answers whatever is sent with less than 500, and shows its console afterwards', async () => {
  const { svc_uid } = await service.pay();
  const paths = [
    ...['settings', 'payments', 'clock', 'faults', 'faults/random', 'settings/test-webhook', 'nothing'].map(
      (path) => `/_sandbox/${path}`,
    ),
    ...['deposit', 'cancel', 'tamper', 'notify'].map((action) => `/_sandbox/payments/${svc_uid}/${action}`),
    ...['pay', 'clock', 'clock/next', 'settings', 'faults', `payments/${svc_uid}/lie`].map(
      (path) => `/console/${path}`,
    ),
  ];
  const names =
    'merchant_uid amount outcome endpoint kind headers times seed webhook_url legacy_sends custom_data';
  const name = fc.constantFrom(...names.split(' '), '__proto__', 'toString', '');
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('order-1', 1, '2', 'status', [], {}));
  const fields = fc.dictionary(name, value, { maxKeys: 5 });
  const form = fc
    .array(fc.tuple(name, fc.constantFrom('', '[]', '[0]', '[a][b]'), fc.webSegment()), { maxLength: 5 })
    .map((entries) => entries.map(([key, bracket, content]) => `${key}${bracket}=${content}`).join('&'));
  const body = fc.oneof(
    fields.map((each) => Buffer.from(JSON.stringify(each))),
    form.map((each) => Buffer.from(each)),
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
  );
  const type = fc.constantFrom(
    JSON_TYPE,
    FORM,
    JSON_TYPE,
    FORM,
    `${JSON_TYPE}; charset=utf-16`,
    'text/plain',
    '',
  );
  const encoding = fc.constantFrom({}, {}, {}, { 'content-encoding': 'gzip' }, { 'content-encoding': '?' });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      type,
      body,
      encoding,
      async (path, contentType, content, headers) => {
        expect((await post(path, contentType, content, headers)).status).toBeLessThan(500);
      },
    ),
    { numRuns: 200 },
  );
  expect((await service.call('GET', '/console')).status).toBe(200);
});

/** 1001 fields of a form, or a body that is nested a hundred times. */
function tooMuch(isForm: boolean): string {
  return isForm ? 'a=1&'.repeat(1000) + 'a=1' : `{"a":${'['.repeat(100)}${']'.repeat(100)}}`;
}
