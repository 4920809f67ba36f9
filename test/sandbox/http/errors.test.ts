// Every error is an envelope that names what is wrong, and no input makes the sandbox fail (§2, §7).

import fc from 'fast-check';
import { CARD } from '../../support/cards';
import { refused, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();
let token: string;
beforeEach(async () => {
  token = await service.signIn();
});

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

/** Each operation as a merchant may get it wrong. */
const wrongOperations: [string, string, object | undefined][] = [
  ['POST', '/subscribe/customers/card-1', { ...CARD, expiry: '12/30' }],
  ['POST', '/subscribe/payments/onetime', {}],
  ['POST', '/subscribe/payments/again', { customer_uid: 'nobody', merchant_uid: 'a', amount: 1 }],
  ['POST', '/subscribe/payments/schedule', { customer_uid: 'card-1', schedules: [] }],
  ['POST', '/subscribe/payments/unschedule', { customer_uid: 'card-1' }],
  ['POST', '/payments/cancel', { svc_uid: 'svc_0' }],
  ['POST', '/payments/prepare', { merchant_uid: 'a', amount: 0 }],
  ['DELETE', '/subscribe/customers/card-1', undefined],
];

describe('a refused operation', () => {
  test.each(wrongOperations)('is HTTP 200 with code 1 and a message: %s %s', async (method, path, body) => {
    const authorization = `Bearer ${token}`;
    expect(await service.call(method, path, body, { authorization })).toMatchObject(refused(''));
    const unauthorized = await service.call(method, path, body);
    expect([unauthorized.status, unauthorized.body.code]).toEqual([401, -1]);
  });

  test('has the status of a query on setting: 400 for bad fields, 404 for what is not there', async () => {
    await service.settings({ operation_errors: 'http' });
    const missing = await service.post('/subscribe/payments/again', {});
    expect([missing.status, missing.body]).toEqual([400, refusal('customer_uid: is required')]);
    const unknown = await service.post('/payments/cancel', { svc_uid: 'svc_0' });
    expect([unknown.status, unknown.body]).toEqual([404, refusal('취소할 결제건이 존재하지 않습니다.')]);
    expect((await service.remove('/subscribe/customers/card-1')).status).toBe(404);
    // What the service declines is a business failure all the same (§7.1).
    expect((await service.issueKey('card-1', { card_number: '4000-0000-0000-0002' })).body.code).toBe(1);
  });

  test('of a token keeps its status, and so does a query', async () => {
    expect((await service.call('POST', '/users/getToken', {})).status).toBe(400);
    expect((await service.get('/payments/svc_0')).status).toBe(404);
    expect((await service.get('/payments/status/done')).status).toBe(400);
  });
});

describe('a body that cannot be read', () => {
  const JSON_TYPE = 'application/json';
  const FORM = 'application/x-www-form-urlencoded';
  const bodies = [
    ['no JSON', '{"card_number":"4242-4242', 'cannot be read', JSON_TYPE],
    ['a text', '"4242-4242"', 'cannot be read', JSON_TYPE],
    ['an array', '["4242-4242"]', 'must be a JSON object', JSON_TYPE],
    ['null', 'null', 'cannot be read', JSON_TYPE],
    ['nothing', '', 'is required', JSON_TYPE],
    ['too large', JSON.stringify({ name: '4242'.repeat(50_000) }), 'larger than 100kb', JSON_TYPE],
    ['nested too often', `{"custom_data":${'{"a":'.repeat(9000)}1${'}'.repeat(9001)}`, 'nested', JSON_TYPE],
    ['of too many fields', 'a=4242&'.repeat(1001), 'more than 1000 fields', FORM],
    ['of another content type', '<xml>4242</xml>', 'is required', 'text/xml'],
    ['in an unknown charset', 'a=4242', 'charset', `${FORM}; charset=x-none`],
  ];

  test.each(bodies)('is refused without repeating it: %s', async (_, body, message, contentType) => {
    const answer = await raw('POST', '/subscribe/payments/again', body, contentType);
    expect(answer).toMatchObject(refused(message));
    expect(JSON.stringify(answer.body)).not.toContain('4242');
    await service.settings({ operation_errors: 'http' });
    const asQuery = await raw('POST', '/subscribe/payments/again', body, contentType);
    expect([asQuery.status, asQuery.body]).toEqual([400, refusal(message)]);
  });

  test('is a 400 where a token is asked for', async () => {
    expect((await raw('POST', '/users/getToken', '{"svc_key":')).status).toBe(400);
  });
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
  for (const field of ['customer_uid: is required', 'merchant_uid: ', 'amount: ', 'name: '])
    expect(answer).toMatchObject(refused(field));
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
