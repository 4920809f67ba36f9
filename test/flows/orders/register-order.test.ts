// An order says what the merchant expects to be paid. It is registered once, over a whole positive amount, and what it is
// registered with beside that is kept as it was first said, shown, and in no log.

import { BUYER } from '../../support/buyer';
import { API_KEY } from '../../support/config';
import { getOrder, newUid, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld({ logLevel: 'trace' });

const FIELDS = {
  card_quota: 3,
  tax_free: 1000,
  buyer: BUYER,
  custom_data: { cart: [7, 8], note: '한글 \u0000 "quoted"', at: 1763740800000 },
};
const tea = (fields: Record<string, unknown> = {}) => ({
  merchant_uid: newUid(),
  name: 'Tea',
  amount: 60_000,
  ...fields,
});
const register = (body: Record<string, unknown>) => world.api('POST', '/api/orders', body);

describe('orders say what is expected, once', () => {
  test('the same again is 200, another amount or currency is 409 and changes nothing', async () => {
    const uid = await registerOrder(world);
    const again = { merchant_uid: uid, name: 'Tea', amount: 1000 };
    expect((await world.api('POST', '/api/orders', again)).status).toBe(200);
    const before = await world.rows.money();
    for (const changed of [{ amount: 1001 }, { currency: 'USD' }]) {
      const answer = await world.api('POST', '/api/orders', { ...again, ...changed });
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'order_conflict' } } });
    }
    expect(await world.rows.money()).toBe(before);
  });

  test.each([
    ['no amount', { amount: undefined }],
    ['a zero amount', { amount: 0 }],
    ['a negative amount', { amount: -1 }],
    ['a fraction', { amount: 10.5 }],
    ['an amount as text', { amount: '1000' }],
    ['an amount that no number holds', { amount: 2 ** 53 }],
    ['an unknown currency', { currency: 'XXX' }],
    ['an id with a slash', { merchant_uid: 'a/b' }],
    ['an id of dots', { merchant_uid: '..' }],
    ['an id of 41 characters', { merchant_uid: 'a'.repeat(41) }],
    ['no name', { name: '' }],
  ])('%s is 400 and registers nothing', async (_name, change) => {
    const before = await world.rows.money();
    const answer = await world.api('POST', '/api/orders', {
      merchant_uid: newUid(),
      name: 'Tea',
      amount: 1000,
      ...change,
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(await world.rows.money()).toBe(before);
  });

  test('F12 an amount above 2^31 is stored as it is', async () => {
    const uid = await registerOrder(world, newUid(), { amount: 2_147_483_648 });
    const { svc_uid } = await paySilently(world, uid, { amount: 2_147_483_648 });
    expect(await sendNotification(world, svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
    expect((await getOrder(world, uid)).amount).toBe(2_147_483_648);
  });

  test('without the key the API is closed', async () => {
    const response = await fetch(`${world.url}/api/orders/x`, { headers: { authorization: 'Bearer wrong' } });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: 'unauthorized' } });
  });
});

test('an order shows what it was registered with', async () => {
  const body = tea(FIELDS);
  const { status, body: answer } = await register(body);
  expect([status, answer]).toMatchObject([201, FIELDS]);
  expect(await getOrder(world, body.merchant_uid)).toMatchObject(FIELDS);
});

test('what was not said is null, and a buyer is shown with what is known of them', async () => {
  expect((await register(tea())).body).toMatchObject({
    card_quota: null,
    tax_free: null,
    buyer: null,
    custom_data: null,
  });
  expect((await register(tea({ buyer: { name: 'Kim' } }))).body.buyer).toEqual({
    name: 'Kim',
    email: null,
    tel: null,
    addr: null,
    postcode: null,
  });
});

test('the same order again is 200 and keeps what was said first', async () => {
  const body = tea(FIELDS);
  await register(body);
  const before = await world.rows.money();
  const other = { name: 'Coffee', card_quota: 6, tax_free: 0, buyer: { name: 'Lee' }, custom_data: 'other' };
  const { status, body: answer } = await register({ ...body, ...other });
  expect([status, answer]).toMatchObject([200, { name: 'Tea', ...FIELDS }]);
  expect(await world.rows.money()).toBe(before);
});

test.each([
  ['0 instalments of any amount', { amount: 1, card_quota: 0 }],
  ['0 instalments in another currency', { currency: 'USD', card_quota: 0 }],
  ['2 instalments of 50,000 won', { amount: 50_000, card_quota: 2 }],
  ['an amount all of which is free of tax', { tax_free: 60_000 }],
  [
    'texts of greatest length',
    { buyer: { name: '가'.repeat(16), email: 'e'.repeat(64), tel: '1'.repeat(16) } },
  ],
  ['an address of greatest length', { buyer: { addr: '가'.repeat(128), postcode: '1'.repeat(8) } }],
  ['custom data of greatest length', { custom_data: '가'.repeat(1898) }],
  ['custom data of half a character', { custom_data: '\ud83d' }],
  ['custom data false', { custom_data: false }],
])('%s is registered and shown', async (_, fields) => {
  const { status, body } = await register(tea(fields));
  expect([status, body]).toMatchObject([201, fields]);
});

test.each([
  ['one instalment', { card_quota: 1 }, 'card_quota: must be 0, or 2 and more'],
  ['instalments of 49,999 won', { amount: 49_999, card_quota: 2 }, 'card_quota: must be 0: instalments'],
  ['instalments in dollars', { currency: 'USD', card_quota: 2 }, 'card_quota: must be 0: instalments'],
  ['instalments of four years', { card_quota: 48 }, 'card_quota'],
  ['instalments as text', { card_quota: '3' }, 'card_quota'],
  ['more free of tax than there is', { tax_free: 60_001 }, 'tax_free: must not be more than the amount'],
  ['less than nothing free of tax', { tax_free: -1 }, 'tax_free'],
  ['a name of 17 characters', { buyer: { name: 'a'.repeat(17) } }, 'buyer.name'],
  ['an e-mail of 65 characters', { buyer: { email: 'a'.repeat(65) } }, 'buyer.email'],
  ['a telephone of 17 characters', { buyer: { tel: '1'.repeat(17) } }, 'buyer.tel'],
  ['an address of 129 characters', { buyer: { addr: 'a'.repeat(129) } }, 'buyer.addr'],
  ['a postal code of 9 characters', { buyer: { postcode: '1'.repeat(9) } }, 'buyer.postcode'],
  ['an empty name', { buyer: { name: ' ' } }, 'buyer.name'],
  ['a buyer that is a text', { buyer: 'Kim' }, 'buyer'],
  [
    'custom data of 1,901 characters',
    { custom_data: 'x'.repeat(1899) },
    'custom_data: must have at most 1900',
  ],
  [
    'a notification address',
    { notice_url: 'https://evil.example' },
    'notice_url: is not taken: notifications',
  ],
  ['a provider', { pg: 'nice' }, 'pg: is not taken: only a key-in payment'],
])('%s is 400 with the reason, and registers nothing', async (_, fields, reason) => {
  const before = await world.rows.money();
  const { status, body } = await register(tea(fields));
  expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
  expect(body.error.message).toContain(reason);
  expect(body.error.message).not.toContain('evil');
  expect(await world.rows.money()).toBe(before);
});

test('custom data that is nested too deeply to be written is 400', async () => {
  const deep = `{"merchant_uid":"deep","name":"Tea","amount":1,"custom_data":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
  const response = await fetch(`${world.url}/api/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: deep,
  });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { code: 'invalid_request' } },
  ]);
});

test('nothing of a buyer is in the log', () => {
  expect(world.log.lines().length).toBeGreaterThan(20);
  for (const value of Object.values(BUYER)) expect(world.log.text()).not.toContain(value);
  expect(world.log.text()).not.toContain('1763740800000');
});
