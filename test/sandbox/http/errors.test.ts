// Every error is an envelope that names what is wrong, and no input makes the sandbox fail (§2, §7).

import fc from 'fast-check';
import { runSandbox, type Running } from '../../support/running-sandbox';

let service: Running;
let token: string;
beforeEach(async () => {
  service = await runSandbox();
  token = await service.signIn();
});
afterEach(() => service.close());

const refusal = (message: string) => ({
  code: -1,
  message: expect.stringContaining(message),
  response: null,
});
const raw = (method: string, path: string, body: string, contentType = 'application/json') =>
  fetch(service.url + path, {
    method,
    body,
    headers: { 'content-type': contentType, authorization: `Bearer ${token}` },
  }).then(async (response) => ({ status: response.status, body: (await response.json()) as any }));

test('answers 404 for an unknown path, also in another case', async () => {
  for (const path of ['/', '/nothing', '/Payments/status/all', '/users/gettoken', '/_sandbox/nothing']) {
    const answer = await service.get(path);
    expect([path, answer.status, answer.body]).toEqual([path, 404, refusal('path')]);
  }
});

test('answers 405 with the allowed methods for another method', async () => {
  const answer = await service.remove('/payments/svc_1');
  expect([answer.status, answer.headers.get('allow'), answer.body]).toEqual([405, 'GET', refusal('method')]);
  const several = await service.call('PUT', '/subscribe/customers/card-1');
  expect(several.headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'POST']);
});

test('answers 400 for a body that is no JSON, no object, or too large, and repeats nothing of it', async () => {
  for (const body of ['{"card_number":"4242-4242', '"text"', '[1]', 'null', '']) {
    const answer = await raw('POST', '/subscribe/payments/again', body);
    expect([body, answer.status, answer.body.code]).toEqual([body, 400, -1]);
    expect(JSON.stringify(answer.body)).not.toContain('4242');
  }
  const large = await raw('POST', '/subscribe/payments/again', JSON.stringify({ name: 'x'.repeat(200_000) }));
  expect([large.status, large.body]).toEqual([400, refusal('larger')]);
});

test('answers 400 for a content type that it does not read', async () => {
  const answer = await raw('POST', '/subscribe/payments/again', '<xml/>', 'text/xml');
  expect([answer.status, answer.body.code]).toEqual([400, -1]);
});

test('answers 400 for a path that cannot be decoded', async () => {
  const answer = await service.get('/payments/%ff');
  expect([answer.status, answer.body]).toEqual([400, refusal('path')]);
});

test('names every wrong field at once, as the client wrote it', async () => {
  const answer = await service.post('/subscribe/payments/again', {
    merchant_uid: '..',
    amount: 'much',
    name: {},
  });
  expect(answer.status).toBe(400);
  for (const field of ['customer_uid: is required', 'merchant_uid: ', 'amount: ', 'name: '])
    expect(answer.body.message).toContain(field);
});

test('is not moved by fields that reach for a prototype', async () => {
  await service.post('/payments/cancel', JSON.parse('{"__proto__":{"amount":1},"constructor":{"x":1}}'));
  await service.get(
    '/payments/status/all?__proto__[page]=9&constructor[prototype][page]=9&page[__proto__]=1',
  );
  expect(({} as any).page).toBeUndefined();
  expect((await service.get('/payments/status/all')).status).toBe(200);
});

test('refuses wrong controls with 400 and the name of the field', async () => {
  for (const [method, path, body, field] of [
    ['PATCH', '/settings', { legacy_sends: 6 }, 'legacy_sends'],
    ['PATCH', '/settings', { webhook_url: 'not a url' }, 'webhook_url'],
    ['PATCH', '/settings', { nothing: 1 }, 'nothing'],
    ['POST', '/payments', { amount: 1 }, 'merchant_uid'],
    ['POST', '/payments', { merchant_uid: 'a', amount: 1, outcome: 'maybe' }, 'outcome'],
    ['POST', '/clock', { advance_seconds: -1 }, 'advance_seconds'],
    ['POST', '/clock', undefined, 'body'],
  ] as const) {
    const answer = await service.control(method, path, body);
    expect([path, answer.status, answer.body]).toEqual([path, 400, refusal(field)]);
  }
  expect((await service.control('POST', '/payments/svc_0/deposit')).status).toBe(404);
});

test('answers whatever arrives at any endpoint with an envelope, and never fails itself', async () => {
  const { message } = (
    await service.control('POST', '/faults', { endpoint: 'none', times: 1, kind: 'status' })
  ).body;
  const endpoints: string[] = message.replace('endpoint: one of ', '').split(', ');
  const names = [
    'customer_uid',
    'merchant_uid',
    'svc_uid',
    'amount',
    'schedules',
    'page',
    'from',
    'card_number',
    'reason',
  ];
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('card-1', 'order-1', 1, '2', '', [], ['a'], {}),
  );
  const fields = fc.dictionary(fc.constantFrom(...names), value);
  const part = fc.oneof(
    fc.constantFrom('card-1', 'order-1', 'all', '..%2f', '%00', 'a%20b'),
    fc.webSegment(),
  );
  await service.issueKey('card-1');
  await service.pay();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...endpoints),
      part,
      fields,
      fc.webQueryParameters(),
      async (endpoint, id, body, query) => {
        const [method = '', pattern = ''] = endpoint.split(' ');
        const path = `${pattern.replace(/:\w+/g, () => id || 'x')}?${query}&page=${JSON.stringify(body.page)}`;
        const answer = await (method === 'GET'
          ? service.get(path)
          : method === 'DELETE'
            ? service.remove(path)
            : service.post(path, body));
        expect(answer.status).toBeLessThan(500);
        expect(answer.body).toEqual(expect.objectContaining({ code: expect.any(Number) }));
      },
    ),
    { numRuns: 200 },
  );
  expect((await service.get('/payments/status/all')).status).toBe(200);
});
