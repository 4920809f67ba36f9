// Malformed bodies at the controls and the console: each is a 4xx, never a 500, and changes nothing.

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { sandboxRoutes } from '../../support/all-routes';
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

describe.each([
  { path: '/_sandbox/settings', type: JSON_TYPE, body: '{"legacy_sends":2}' },
  { path: '/_sandbox/payments', type: JSON_TYPE, body: '{"merchant_uid":"order-1","amount":1}' },
  { path: '/_sandbox/faults', type: JSON_TYPE, body: '{"endpoint":"GET /payments"}' },
  { path: '/console/settings', type: FORM, body: 'webhook_url=&legacy_sends=2' },
  { path: '/console/pay', type: FORM, body: 'merchant_uid=order-1&amount=1' },
  { path: '/console/faults', type: FORM, body: 'endpoint=GET+/payments' },
])('at $path', ({ path, type, body }) => {
  const isForm = type === FORM;
  const tooLarge = isForm ? '&a=x'.repeat(30_000) : '     '.repeat(300_000);
  const tooMuch = isForm ? 'a=1&'.repeat(1001) : `{"a":${'['.repeat(100)}${']'.repeat(100)}}`;

  test.each<[string, number, string, string | Buffer, object]>([
    ['in UTF-16', 415, `${type}; charset=utf-16`, Buffer.from(body, 'utf16le'), {}],
    ['in an unknown charset', 415, `${type}; charset="none"`, body, {}],
    ['compressed', 415, type, gzipSync(body), { 'content-encoding': 'gzip' }],
    ['of another content type', 415, isForm ? JSON_TYPE : FORM, body, {}],
    ['of no content type', 415, '', body, {}],
    ['too large', 413, type, `${body}${tooLarge}`, {}],
    [isForm ? 'of 1001 fields' : 'nested too often', isForm ? 413 : 400, type, tooMuch, {}],
    ['absent', 400, type, '', {}],
    ['of nothing but noise', 400, type, isForm ? '&&=&%ff=%' : '\u0000{', {}],
    [isForm ? 'of arrays' : 'an array', 400, type, isForm ? body.replaceAll('=', '[]=') : `[${body}]`, {}],
    ['without a field', 400, type, isForm ? 'a=1' : '{"a":1}', {}],
  ])('a body that is %s is refused', async (_, status, contentType, content, headers) => {
    const before = await settings();
    const answer = await post(path, contentType, content, headers);
    expect(answer.status).toBe(status);
    if (isForm) expect(answer.body).toContain('role="alert"');
    else expect(JSON.parse(answer.body)).toEqual({ code: -1, message: expect.any(String), response: null });
    expect(await settings()).toEqual(before);
    expect((await service.get('/payments/find/order-1')).status).toBe(404);
    expect((await service.control('GET', '/faults')).body.faults).toEqual([]);
  });
});

const FAULT = { endpoint: 'GET /payments' };
test.each<[string, string, string, object]>([
  ['webhook_url', 'PATCH', '/settings', { webhook_url: 'not a url' }],
  ['legacy_sends', 'PATCH', '/settings', { legacy_sends: 6 }],
  ['body', 'PATCH', '/settings', { nothing: 1 }],
  ['merchant_uid', 'POST', '/payments', { amount: 1 }],
  ['advance_seconds', 'POST', '/clock', { advance_seconds: -1 }],
  ['endpoint', 'POST', '/faults', { endpoint: 'PUT /payments' }],
  ['status', 'POST', '/faults', { ...FAULT, status: 99 }],
  ['headers', 'POST', '/faults', { ...FAULT, headers: { a: 'x\r\ny: z' } }],
  ['headers', 'POST', '/faults', { ...FAULT, headers: { 'Transfer-Encoding': 'chunked' } }],
])('a control with a wrong %s is a 400 that names it: %s %s %j', async (field, method, path, body) => {
  const answer = await service.control(method, path, body);
  expect([answer.status, answer.body.message.split(':')[0]]).toEqual([400, field]);
});

test.each([
  ['half a body at the controls', 'PATCH /_sandbox/settings', JSON_TYPE, '\r\n{"a":'],
  ['half a form at the console', 'POST /console/pay', FORM, '\r\na='],
  ['half a body of an operation', 'POST /payments/cancel', JSON_TYPE, '\r\n{"a":'],
  ['half a head', 'GET /console', JSON_TYPE, ''],
])('is ended with a 408: %s', async (_, request, type, start) => {
  const impatient = await runSandbox({ requestTimeoutMs: 100 });
  const authorization = `Authorization: ${await impatient.signIn()}`;
  const lengthAndType = ['Content-Length: 100', `Content-Type: ${type}`];
  const head = [`${request} HTTP/1.1`, 'Host: x', ...lengthAndType, authorization, start];
  expect(await sendBytes(impatient.url, head.join('\r\n'))).toBe('HTTP/1.1 408 Request Timeout');
  await impatient.close();
});

test('answers whatever is sent with less than 500, and shows its console afterwards', async () => {
  const { svc_uid } = await service.pay();
  const authorization = `Bearer ${await service.signIn()}`;
  const routes = sandboxRoutes().map(({ method, path }) => ({
    method: method.toUpperCase(),
    path: path.replace('{svc_uid}', svc_uid).replace(/\{\w+\}/g, 'card-1'),
  }));
  const name = fc.constantFrom(
    ...'customer_uid merchant_uid svc_uid amount schedules page card_number outcome endpoint kind'.split(' '),
    ...'headers times seed webhook_url legacy_sends custom_data __proto__ toString'.split(' '),
  );
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('order-1', 1, '2', 'status', [], {}));
  // Bytes, because `fc.webSegment()` and strings of any character would cost more than all the requests.
  const bytes = fc.uint8Array().map((each) => Buffer.from(each));
  const segment = fc.oneof(
    bytes.map((each) => each.toString('hex').replace(/../g, '%$&')),
    fc.constantFrom('order-1', '&', '=', '+', ';,'),
  );
  const form = fc
    .array(fc.tuple(name, fc.constantFrom('', '[]', '[a][b]'), segment), { maxLength: 5 })
    .map((entries) => entries.map(([key, bracket, content]) => `${key}${bracket}=${content}`).join('&'));
  const json = fc.dictionary(name, value, { maxKeys: 5 }).map((each) => JSON.stringify(each));
  const body = fc.oneof<fc.Arbitrary<string | Buffer>[]>(json, form, fc.string(), bytes);
  const sent = fc.record({ type: fc.constantFrom(JSON_TYPE, FORM, ''), body });
  const isControl = ({ path }: { path: string }) => /^\/(_sandbox|console)/.test(path);
  // The controls come last: their faults bend the answers of the others.
  for (const asked of [routes.filter((route) => !isControl(route)), routes.filter(isControl)])
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...asked), form, sent, async ({ method, path }, query, request) => {
        const headers = { authorization, 'content-type': request.type };
        const content = method === 'GET' ? {} : { body: request.body };
        const { status } = await send(service.url, `${path}?${query}`, { method, headers, ...content });
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 60 },
    );
  expect((await service.call('GET', '/console')).status).toBe(200);
});
