// The routes over HTTP, against the sandbox and a PostgreSQL of their own.

import request from 'supertest';
import { readSettings } from './settings';
import { API_KEY, LISTED, startWorld, type World } from './test-world';

const CARD = { card_number: '5409 1357 2468 0246', expiry: '2037-12', birth: '1234567891', pwd_2digit: '47' };
const CONSENTS = { agree_terms: 'on', agree_privacy: 'on' };
const CARD_DATA = /5409\W*1357\W*2468\W*0246|2037-12|1234567891/;
const ISSUE = 'POST /subscribe/customers/:customer_uid';
const FETCH = 'GET /payments/:svc_uid';

let world: World;
/** What browsers were shown. */
const pages: string[] = [];

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

async function openForm() {
  const { text } = await request(world.url).get('/cards/new').expect(200);
  return /name="customer_uid" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

const post = (form: object, on: Parameters<typeof request>[0] = world.url) =>
  request(on)
    .post('/cards')
    .type('form')
    .send(form)
    .on('response', ({ text }: { text: string }) => pages.push(text));

/** The fields that a page marks as wrong. */
const wrongFields = (page: string) => [...page.matchAll(/id="(\w+)-error"/g)].map(([, name]) => name);

test('the form is Korean, and English by ?lang=en', async () => {
  const { text } = await request(world.url).get('/cards/new').expect(200);
  expect(text).toContain('<html lang="ko">');
  const english = await request(world.url).get('/cards/new').query({ lang: 'en' }).expect(200);
  expect(english.text).toContain('<html lang="en">');
  expect(english.text).toContain('action="/cards?lang=en"');
});

test('a card that is registered becomes a mapping', async () => {
  const customer_uid = await openForm();
  const before = await world.requestsOf(ISSUE);
  await post({ customer_uid, ...CARD, ...CONSENTS })
    .expect(303)
    .expect('Location', '/cards/new?registered=1');
  expect(await world.requestsOf(ISSUE)).toBe(before + 1);
  const { keys } = await world.rows();
  expect(keys).toContainEqual(expect.objectContaining({ customerUid: customer_uid, memberId: 'member-1' }));
});

test('a form that is sent twice at once is one mapping', async () => {
  const customer_uid = await openForm();
  const answers = await Promise.all([1, 2].map(() => post({ customer_uid, ...CARD, ...CONSENTS })));
  for (const { status } of answers) expect([303, 409]).toContain(status);
  const { keys } = await world.rows();
  expect(keys.filter(({ customerUid }) => customerUid === customer_uid)).toHaveLength(1);
});

test.each(['customer_uid', ...Object.keys(CARD), ...Object.keys(CONSENTS)])(
  'a form with a wrong %s is a 400 that names it',
  async (field) => {
    const before = await world.requestsOf(ISSUE);
    const form = { customer_uid: await openForm(), ...CARD, ...CONSENTS };
    for (const wrong of ['wrong', '1\u0000', [form[field as keyof typeof form], '1'], undefined]) {
      const { text } = await post({ ...form, [field]: wrong }).expect(400);
      expect(wrongFields(text)).toEqual([field]);
    }
    expect(await world.requestsOf(ISSUE)).toBe(before);
  },
);

test('a declined card is a 400, and a customer_uid that is in use a 409: neither leaves a row', async () => {
  const inUse = await openForm();
  await post({ customer_uid: inUse, ...CARD, ...CONSENTS }).expect(303);
  const before = await world.rows();
  const declined = { ...CARD, card_number: '4000-0000-0000-0002' };
  await post({ customer_uid: await openForm(), ...declined, ...CONSENTS }).expect(400);
  await post({ customer_uid: inUse, ...CARD, ...CONSENTS }).expect(409);
  expect(await world.rows()).toEqual(before);
});

test('the same order again is a 200, with another amount a 409', async () => {
  const send = (body: object) => world.api('post', '').send(body);
  const order = { merchant_uid: 'order-a', name: 'Tea', amount: 1000 };
  await send(order).expect(201);
  await send(order).expect(200);
  await send({ ...order, amount: 1001 }).expect(409);
  expect((await world.api('get', '/order-a').expect(200)).body).toMatchObject({
    status: 'open',
    payments: [],
  });
});

test.each([
  ['amount', '1000'],
  ['amount', [1000]],
  ['amount', 1e300],
  ['amount', 2 ** 31],
  ['amount', 0],
  ['amount', undefined],
  ['name', 'T\u0000ea'],
  ['name', '\ud800'],
  ['name', ' '],
  ['merchant_uid', '..'],
  ['merchant_uid', { contains: '' }],
  ['currency', 'JPY'],
  ['member', 'x'],
])('an order whose %s is %j is a 400 that names it', async (field, value) => {
  const order = { merchant_uid: 'order-wrong', name: 'Tea', amount: 1000, [field]: value };
  const { body } = await world.api('post', '').send(order).expect(400);
  expect(body.error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(field) });
  await world.api('get', '/order-wrong').expect(404);
});

test.each([
  ['nothing', '', '', 400, 'merchant_uid'],
  ['half an object', '{"merchant_uid": ', 'application/json', 400, 'body'],
  ['null', 'null', 'application/json', 400, 'body'],
  ['an unknown encoding', '{}', 'application/json; charset=none', 415, 'body'],
  ['a prototype', '{"__proto__":{"amount":1}}', 'application/json', 400, '__proto__'],
  ['plain text', 'merchant_uid=order-wrong', 'text/plain', 400, 'merchant_uid'],
  ['200 kB', `"${'x'.repeat(200_000)}"`, 'application/json', 413, 'body'],
])('an order of %s is refused by name', async (_, body, type, status, named) => {
  const answer = await world.api('post', '').type(type).send(body).expect(status);
  expect(answer.body.error).toMatchObject({ message: expect.stringContaining(named) });
});

test('an order is read with the key alone, and under an id that could be one', async () => {
  await request(world.url).get('/api/orders/order-a').expect(401);
  await request(world.url)
    .post('/api/orders')
    .auth('another-key-of-somebody', { type: 'bearer' })
    .expect(401);
  const { body } = await world.api('get', '/order%00').expect(400);
  expect(body.error.message).toContain('merchant_uid');
  await world.api('get', '/%E0%A4').expect(400);
});

test('a notification is checked against the service, and recorded once', async () => {
  await world.order('order-1');
  const svc_uid = await world.pay('order-1');
  const body = { svc_uid, merchant_uid: 'order-1', status: 'paid' };
  await world.notify(body).expect(200, { outcome: 'recorded' });
  const recorded = await world.rows();
  expect(await world.readOrder('order-1')).toMatchObject({
    status: 'paid',
    payments: [{ svc_uid, amount: 1000 }],
  });
  await world
    .notify({ ...body })
    .type('form')
    .expect(200, { outcome: 'unchanged' });
  expect(await world.rows()).toEqual(recorded);
});

test.each([
  ['an amount that differs', 'amount_mismatch', { amount: 999 }, {}],
  ['another currency', 'currency_mismatch', { currency: 'USD' }, {}],
  ['the payment of another order', 'order_mismatch', {}, { merchant_uid: 'order-other' }],
  ['an order that is not registered', 'unknown_order', {}, { merchant_uid: 'order-unknown' }],
  ['a payment that the service does not know', 'unknown_payment', {}, { svc_uid: 'svc_unknown' }],
])('a notification with %s is a 400 and stores nothing', async (_, outcome, paid, claimed) => {
  const merchant_uid = `order-${outcome}`;
  await world.order(merchant_uid);
  if (outcome === 'order_mismatch') await world.order('order-other');
  const svc_uid = await world.pay(merchant_uid, 1000, paid);
  const before = await world.rows();
  await world.notify({ svc_uid, merchant_uid, status: 'paid', ...claimed }).expect(400, { outcome });
  expect(await world.rows()).toEqual(before);
});

test.each([
  [{ svc_uid: '../users/getToken' }, 'svc_uid'],
  [{ svc_uid: ['svc_1'] }, 'svc_uid'],
  [{ svc_uid: 'svc_1\u0000' }, 'svc_uid'],
  [{ merchant_uid: '..' }, 'merchant_uid'],
  [{ merchant_uid: undefined }, 'merchant_uid'],
])('a notification of %j is a 400 that names the field, and nothing is fetched', async (fields, named) => {
  const before = await world.requestsOf(FETCH);
  const { body } = await world.notify({ svc_uid: 'svc_1', merchant_uid: 'order-1', ...fields }).expect(400);
  expect(body).toMatchObject({ outcome: 'malformed', message: expect.stringContaining(named) });
  expect(await world.requestsOf(FETCH)).toBe(before);
});

test.each(['', '6.6.6.6', `${LISTED}, 6.6.6.6`, '064.78.100.19', `${LISTED}:443`, `${LISTED}%eth0`])(
  'a notification from "%s" is a 403 before its body is read, and nothing is fetched',
  async (source) => {
    const before = await world.requestsOf(FETCH);
    await world.notify({ svc_uid: 'svc_1', merchant_uid: 'order-1' }, source).expect(403);
    expect(await world.requestsOf(FETCH)).toBe(before);
  },
);

test.each([`6.6.6.6, ${LISTED}`, `${LISTED}, 127.0.0.1`, `::ffff:${LISTED}`])(
  'a notification from "%s" is checked',
  async (source) => {
    const body = { svc_uid: 'svc_unknown', merchant_uid: 'order-1' };
    await world.notify(body, source).expect(400, { outcome: 'unknown_payment' });
  },
);

test('a partial refund and a refund of the rest show in the order', async () => {
  await world.order('order-refund');
  const svc_uid = await world.pay('order-refund');
  const body = { svc_uid, merchant_uid: 'order-refund', status: 'cancelled' };
  await world.control(`/payments/${svc_uid}/cancel`, { amount: 400, reason: 'test' });
  await world.notify(body).expect(200, { outcome: 'recorded' });
  expect(await world.readOrder('order-refund')).toMatchObject({ status: 'partially_cancelled' });
  await world.control(`/payments/${svc_uid}/cancel`, { reason: 'test' });
  await world.notify(body).expect(200, { outcome: 'recorded' });
  expect(await world.readOrder('order-refund')).toMatchObject({ status: 'cancelled' });
});

test('a service that does not answer, or too slowly, is a 503', async () => {
  const absent = world.appOn('http://127.0.0.1:1');
  const before = await world.rows();
  await world.notify({ svc_uid: 'svc_1', merchant_uid: 'order-1' }, LISTED, absent).expect(503);
  await post({ customer_uid: await openForm(), ...CARD, ...CONSENTS }, absent).expect(503);
  // One byte a second: each of them comes in time, and their end never does.
  await world.control('/faults', { endpoint: FETCH, kind: 'drip' });
  const impatient = world.appOn(world.sandboxUrl, 500);
  await world.notify({ svc_uid: 'svc_1', merchant_uid: 'order-1' }, LISTED, impatient).expect(503);
  expect(await world.rows()).toEqual(before);
});

test.each([
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429 },
  { kind: 'html' },
  { kind: 'garbage' },
  { kind: 'redirect' },
  { kind: 'reset' },
])('a service that answers with the fault %j is a 503, and the next call is served', async (fault) => {
  const merchant_uid = `order-${fault.kind}-${fault.status}`;
  await world.order(merchant_uid);
  const svc_uid = await world.pay(merchant_uid);
  const before = await world.rows();
  for (const endpoint of [FETCH, ISSUE]) await world.control('/faults', { endpoint, ...fault });
  await world.notify({ svc_uid, merchant_uid }).expect(503);
  const { text } = await post({ customer_uid: await openForm(), ...CARD, ...CONSENTS }).expect(503);
  expect(text).toContain('<form');
  expect(await world.rows()).toEqual(before);
  await world.notify({ svc_uid, merchant_uid }).expect(200, { outcome: 'recorded' });
});

test('a token that the service refuses is not used again', async () => {
  const unknown = { svc_uid: 'svc_unknown', merchant_uid: 'order-1' };
  await world.notify(unknown).expect(400);
  const tokens = await world.requestsOf('POST /users/getToken');
  await world.control('/faults', { endpoint: FETCH, kind: 'unauthorized' });
  for (const status of [503, 400, 400]) await world.notify(unknown).expect(status);
  expect(await world.requestsOf('POST /users/getToken')).toBe(tokens + 1);
});

test('no log line, page or row has card data, and the log neither a token nor a secret', async () => {
  await request(world.url).get('/cards/5409-1357-2468-0246').expect(404);
  const card = { ...CARD, ...CONSENTS };
  await post({ ...card, customer_uid: await openForm() }).expect(303);
  await post({ ...card, customer_uid: await openForm(), birth: 'wrong' }).expect(400);
  await world.order('order-log');
  const svc_uid = await world.pay('order-log');
  await world.notify({ svc_uid, merchant_uid: 'order-log' }).expect(200, { outcome: 'recorded' });
  const log = world.lines.join('');
  expect(log).toContain('"outcome":"recorded"');
  expect(pages.join('')).toContain('<form');
  for (const text of [log, pages.join(''), JSON.stringify(await world.rows())])
    expect(text.match(CARD_DATA)).toBeNull();
  for (const secret of ['sandbox_secret', API_KEY, await world.token()]) expect(log).not.toContain(secret);
});

test.each([
  ['SERVICE_SECRET', ''],
  ['SERVICE_BASE_URL', 'localhost'],
  ['DATABASE_URL', 'mysql://localhost/minimal'],
  ['PORT', '70000'],
  ['API_KEY', 'short'],
  ['SERVICE_NAME_PREFIX', 'A_'],
  ['TRUSTED_PROXIES', 'true'],
  ['TRUSTED_PROXIES', '1'],
  ['WEBHOOK_SOURCE_ADDRESSES', '52.78.100.19, 052.78.48.223'],
  ['WEBHOOK_SOURCE_ADDRESSES', '52.78.100.0/33'],
])('%s=%s stops the start and is named', (name, value) => {
  const good = {
    DATABASE_URL: 'postgresql://localhost/minimal',
    SERVICE_BASE_URL: 'http://localhost:4010',
    SERVICE_KEY: 'key',
    SERVICE_SECRET: 'secret',
    API_KEY,
    TRUSTED_PROXIES: '',
    WEBHOOK_SOURCE_ADDRESSES: '52.78.100.0/24, 2001:db8::1',
  };
  expect(readSettings(good)).toMatchObject({ PORT: 3000, SERVICE_NAME_PREFIX: 'svc', TRUSTED_PROXIES: [] });
  expect(() => readSettings({ ...good, [name]: value })).toThrow(name);
});
