// What a payment carries beside its amount reaches the service: as its order was registered, unless the charge says
// otherwise. The charge is recognised by its id whatever the merchant sends along beside it.

import { BUYER, BUYER_ON_RECORD } from '../../support/buyer';
import { CARD } from '../../support/cards';
import { CHARGE_KEY } from '../../support/endpoints';
import { registerKey, type StoredKey } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { chargesOf, getOrder, registerOrder } from '../../support/orders';
import { useRecordedWorld } from '../../support/recorded-line';

const FIELDS = { card_quota: 3, tax_free: 1000, buyer: BUYER, custom_data: { cart: [7, 8] } };
/** As the record of §2.4 names them. */
const ON_RECORD = {
  card_quota: 3,
  ...BUYER_ON_RECORD,
};

const world = useRecordedWorld({ logLevel: 'trace' });
let key: StoredKey;
beforeAll(async () => {
  key = await registerKey(world);
});
// The notification of a charge may come after its answer; it must not meet the fault of the next test.
afterEach(() => world.sandbox.waitForNotifications());

const register = (merchantUid: string, fields: Record<string, unknown> = {}) =>
  registerOrder(world, merchantUid, { amount: 60_000, ...fields });
const charge = (merchantUid: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `/api/orders/${merchantUid}/charge`, { customer_uid: key.customerUid, ...fields });
const onetime = (merchantUid: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', '/api/onetime', {
    merchant_uid: merchantUid,
    name: 'Tea',
    amount: 60_000,
    ...CARD,
    ...fields,
  });
/** The sandbox's own record of the payment of an order, as we fetched it. */
const recordOf = async (merchantUid: string) => (await getOrder(world, merchantUid)).payments[0].record;
const sentFor = (path: string, merchantUid: string) =>
  world.sent(path).find((body) => body['merchant_uid'] === merchantUid);

test('an order is charged with what it was registered with', async () => {
  await register('fields-order', FIELDS);
  expect((await charge('fields-order')).status).toBe(200);
  const record = await recordOf('fields-order');
  expect(record).toMatchObject(ON_RECORD);
  expect(JSON.parse(record.custom_data)).toEqual({
    charge: (await chargesOf(world, 'fields-order'))[0]?.['id'],
    custom_data: FIELDS.custom_data,
  });
  expect(sentFor('/subscribe/payments/again', 'fields-order')).toMatchObject({ tax_free: 1000 });
});

test('what the charge says goes before it, a buyer as a whole; the order stays as it was', async () => {
  await register('fields-said', FIELDS);
  const said = { card_quota: 0, tax_free: 0, buyer: { name: 'Lee' }, custom_data: null };
  expect((await charge('fields-said', said)).status).toBe(200);
  const record = await recordOf('fields-said');
  expect(record).toMatchObject({ card_quota: 0, buyer_name: 'Lee', buyer_email: null });
  expect(JSON.parse(record.custom_data)).toMatchObject({ custom_data: null });
  expect(sentFor('/subscribe/payments/again', 'fields-said')).toMatchObject({ card_quota: 0, tax_free: 0 });
  expect(await getOrder(world, 'fields-said')).toMatchObject(FIELDS);
});

test('what neither says is not sent', async () => {
  await register('fields-none');
  await charge('fields-none');
  expect(Object.keys(sentFor('/subscribe/payments/again', 'fields-none') ?? {}).sort()).toEqual([
    'amount',
    'currency',
    'custom_data',
    'customer_uid',
    'merchant_uid',
    'name',
  ]);
});

test('a key-in payment registers its order with it, and says where it is made', async () => {
  const { status, body } = await onetime('fields-onetime', { ...FIELDS, pg: 'kcp.MID_1' });
  expect([status, body.order]).toMatchObject([200, FIELDS]);
  const record = await recordOf('fields-onetime');
  expect(record).toMatchObject({ ...ON_RECORD, pg_provider: 'kcp', pg_id: 'MID_1' });
  expect(JSON.parse(record.custom_data)).toMatchObject({ custom_data: FIELDS.custom_data });
  expect(sentFor('/subscribe/payments/onetime', 'fields-onetime')).toMatchObject({ tax_free: 1000 });
});

test('a key-in payment of a known order carries what the order was registered with', async () => {
  await register('fields-known', FIELDS);
  expect((await onetime('fields-known', { buyer: { name: 'Lee' } })).status).toBe(200);
  expect(await recordOf('fields-known')).toMatchObject({ card_quota: 3, buyer_name: 'Lee', buyer_tel: null });
  expect(await getOrder(world, 'fields-known')).toMatchObject(FIELDS);
});

test.each([
  ['instalments of less than 50,000 won', { amount: 49_999 }, { card_quota: 2 }, 'card_quota: must be 0'],
  ['instalments in dollars', { currency: 'USD' }, { card_quota: 2 }, 'card_quota: must be 0'],
  ['one instalment', {}, { card_quota: 1 }, 'card_quota: must be 0, or 2'],
  ['more free of tax than the order', { amount: 10 }, { tax_free: 11 }, 'tax_free: must not be more'],
  ['a notification address', {}, { notice_url: 'https://evil.example' }, 'notice_url: is not taken'],
  ['a provider', {}, { pg: 'nice' }, 'pg: is not taken'],
])(
  'charging with %s is 400 with the reason; nothing is sent and no charge is written',
  async (name, order, said, why) => {
    const uid = `fields-bad-${name.replace(/\W/g, '')}`.slice(0, 40);
    await register(uid, order);
    const { status, body } = await expectNoEffect(world, () => charge(uid, said));
    expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toContain(why);
    expect(await chargesOf(world, uid)).toEqual([]);
  },
);

test.each([
  ['instalments of less than 50,000 won', { amount: 49_999, card_quota: 2 }, 'card_quota: must be 0'],
  ['more free of tax than the amount', { tax_free: 60_001 }, 'tax_free: must not be more'],
  ['a notification address', { notice_url: ['https://evil.example'] }, 'notice_url: is not taken'],
  ['a provider that is an address', { pg: 'https://evil.example' }, 'pg: must be a provider'],
])('a key-in payment with %s is 400 with the reason; nothing is sent or registered', async (_, said, why) => {
  const { status, body } = await expectNoEffect(world, () => onetime('fields-onetime-bad', said));
  expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
  expect(body.error.message).toContain(why);
});

test.each([
  ['looks like a card number', { at: 1763740800000, card: 4242424242424242 }],
  ['has its greatest length', '가'.repeat(1898)],
  ['names another charge', { charge: 'abcdefghijklmnop' }],
  ['is masked and names another charge', [{ charge: 'abcdefghijklmnop' }, 4242424242424242]],
])('a charge is found after a lost answer when the custom data %s', async (name, customData) => {
  const uid = `fields-lost-${name.replace(/\W/g, '')}`.slice(0, 40);
  await register(uid, { custom_data: customData });
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
  expect((await world.withoutNotifications(() => charge(uid))).status).toBe(202);
  await world.advance(6);
  expect(await chargesOf(world, uid)).toMatchObject([{ status: 'paid', reason: 'no_answer' }]);
  expect((await getOrder(world, uid)).custom_data).toEqual(customData);
});

test('nothing of a buyer is in the log, also where the service refuses them by value', async () => {
  await register('fields-echo', FIELDS);
  const message = `buyer_email: ${BUYER.email} of ${BUYER.name} is not possible`;
  await world.sandbox.fault({
    endpoint: CHARGE_KEY,
    status: 200,
    body: { code: 1, message, response: null },
  });
  const { status, body } = await charge('fields-echo');
  expect([status, body.error.code]).toEqual([402, 'payment_refused']);
  for (const value of Object.values(BUYER)) expect(world.log.text()).not.toContain(value);
});
