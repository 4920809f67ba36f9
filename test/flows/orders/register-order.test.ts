// An order says what the merchant expects to be paid. It is registered once, and what it is registered with beside that is kept
// as it was first said, and shown.

import { BUYER } from '../../support/buyer';
import { API_KEY } from '../../support/config';
import { expectNoEffect } from '../../support/no-effect';
import { getOrder, newUid, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();

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

test('an order shows what it was registered with, and the same again is 200 and keeps what was said first', async () => {
  const body = tea(FIELDS);
  expect(await register(body)).toMatchObject({ status: 201, body: FIELDS });
  const before = await world.rows.money();
  const other = { name: 'Coffee', card_quota: 6, tax_free: 0, buyer: { name: 'Lee' }, custom_data: 'other' };
  const known = { name: 'Tea', ...FIELDS };
  expect(await register({ ...body, ...other })).toMatchObject({ status: 200, body: known });
  expect(await getOrder(world, body.merchant_uid)).toMatchObject(known);
  for (const changed of [{ amount: 60_001 }, { currency: 'USD', card_quota: 0 }, { member_id: 'member-1' }])
    expect(await register({ ...body, ...changed })).toMatchObject({
      status: 409,
      body: { error: { code: 'order_conflict' } },
    });
  expect(await world.rows.money()).toBe(before);
});

test('what was not said is null, and a buyer is shown with what is known of them', async () => {
  const nothing = { card_quota: null, tax_free: null, buyer: null, custom_data: null };
  expect((await register(tea())).body).toMatchObject(nothing);
  const unknown = { email: null, tel: null, addr: null, postcode: null };
  expect((await register(tea({ buyer: { name: 'Kim' } }))).body.buyer).toEqual({ name: 'Kim', ...unknown });
});

test.each([[false], ['가'.repeat(1898)], ['\ud83d']])(
  'custom data %j is stored and shown',
  async (custom_data) => {
    expect(await register(tea({ custom_data }))).toMatchObject({ status: 201, body: { custom_data } });
  },
);

test('F12 an amount above 2^31 is stored as it is', async () => {
  const uid = await registerOrder(world, newUid(), { amount: 2_147_483_648 });
  const { svc_uid } = await paySilently(world, uid, { amount: 2_147_483_648 });
  expect(await sendNotification(world, svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
  expect((await getOrder(world, uid)).amount).toBe(2_147_483_648);
});

const order = { merchant_uid: 'strict-1', name: 'Tea', amount: 1000 };

test.each([
  ['POST /api/orders', '/api/orders', { ...order, memberid: 'm' }, 'memberid'],
  ['POST …/charge', '/api/orders/strict-1/charge', { customer_uid: 'c', amount: 1 }, 'amount'],
  ['POST …/revoke', '/api/schedules/revoke', { customer_uid: 'c', merchantuid: 'x' }, 'merchantuid'],
  ['POST …/cancel', '/api/payments/svc_1/cancel', { reason: 'cold', ammount: 1 }, 'ammount'],
])(
  'M33 an unknown field in %s is 400 and named; nothing is sent or written',
  async (_, path, body, named) => {
    const answer = await expectNoEffect(world, () => world.api('POST', path, body));
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toContain(`has unknown fields: ${named}`);
  },
);

test('custom data that is nested too deeply to be written is 400', async () => {
  const nested = '['.repeat(30_000) + ']'.repeat(30_000);
  const response = await fetch(`${world.url}/api/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: `{"merchant_uid":"deep","name":"Tea","amount":1,"custom_data":${nested}}`,
  });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { code: 'invalid_request' } },
  ]);
});
