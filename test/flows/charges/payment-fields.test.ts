// What a payment carries beside its amount reaches the service: as its order was registered, unless the charge says
// otherwise. What the service does not take for a schedule is refused: it would be lost without a word.

import { BUYER, BUYER_ON_RECORD } from '../../support/buyer';
import { CARD } from '../../support/cards';
import { CHARGE_KEY } from '../../support/endpoints';
import { registerKey, type StoredKey } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { chargesOf, getOrder, registerOrder } from '../../support/orders';
import { useRecordedWorld } from '../../support/recorded-line';

const HOUR = 3600;
const FIELDS = { card_quota: 3, tax_free: 1000, buyer: BUYER, custom_data: { cart: [7, 8] } };
/** §4.9 takes neither instalments nor a part without tax. */
const SCHEDULED_FIELDS = { buyer: BUYER, custom_data: { cart: [7, 8] } };
const OTHER_BUYER = { buyer: { name: 'Lee' } };
const OTHER_BUYER_ON_RECORD = { buyer_name: 'Lee', buyer_email: null, buyer_tel: null };

const world = useRecordedWorld({ logLevel: 'trace' });
let key: StoredKey;
beforeAll(async () => {
  key = await registerKey(world);
});
// The notification of a charge may come after its answer; it must not meet the fault of the next test.
afterEach(() => world.sandbox.waitForNotifications());

const tea = (merchantUid: string) => ({ merchant_uid: merchantUid, name: 'Tea', amount: 60_000 });
const register = (merchantUid: string, fields: Record<string, unknown> = {}) =>
  registerOrder(world, merchantUid, { amount: 60_000, ...fields });
const charge = (merchantUid: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `/api/orders/${merchantUid}/charge`, { customer_uid: key.customerUid, ...fields });
const onetime = (merchantUid: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', '/api/onetime', { ...tea(merchantUid), ...CARD, ...fields });
const entry = (merchantUid: string, fields: Record<string, unknown> = {}) => ({
  ...tea(merchantUid),
  schedule_at: Math.floor(world.clock.nowMs() / 1000) + HOUR,
  ...fields,
});
const schedule = (...schedules: unknown[]) =>
  world.api('POST', '/api/schedules', { customer_uid: key.customerUid, schedules });

/** The sandbox's own record of the payment of an order, as we fetched it. */
const recordOf = async (merchantUid: string) => (await getOrder(world, merchantUid)).payments[0].record;
const sentFor = (path: string, merchantUid: string) =>
  world.sent(path).find((body) => body['merchant_uid'] === merchantUid);

/** The record has what the merchant sent along, beside the id of the charge. */
async function expectCustomData(merchantUid: string, custom_data: unknown) {
  const [row] = await chargesOf(world, merchantUid);
  const record = await recordOf(merchantUid);
  expect(JSON.parse(record.custom_data)).toEqual({ charge: row?.['id'], custom_data });
}

test('an order is charged with what it was registered with', async () => {
  await register('fields-order', FIELDS);
  expect((await charge('fields-order')).status).toBe(200);
  expect(await recordOf('fields-order')).toMatchObject({ card_quota: 3, ...BUYER_ON_RECORD });
  await expectCustomData('fields-order', FIELDS.custom_data);
  expect(sentFor('/subscribe/payments/again', 'fields-order')).toMatchObject({ tax_free: 1000 });
});

test('what the charge says goes before it, a buyer as a whole; the order stays as it was', async () => {
  await register('fields-said', FIELDS);
  const said = { card_quota: 0, tax_free: 0, custom_data: null, ...OTHER_BUYER };
  expect((await charge('fields-said', said)).status).toBe(200);
  expect(await recordOf('fields-said')).toMatchObject({ card_quota: 0, ...OTHER_BUYER_ON_RECORD });
  await expectCustomData('fields-said', null);
  expect(sentFor('/subscribe/payments/again', 'fields-said')).toMatchObject({ card_quota: 0, tax_free: 0 });
  expect(await getOrder(world, 'fields-said')).toMatchObject(FIELDS);
});

test('what neither says is not sent', async () => {
  await register('fields-none');
  await charge('fields-none');
  const sent = Object.keys(sentFor('/subscribe/payments/again', 'fields-none') ?? {}).sort();
  expect(sent).toEqual(['amount', 'currency', 'custom_data', 'customer_uid', 'merchant_uid', 'name']);
});

test('a key-in payment registers its order with it, and says where it is made', async () => {
  const { status, body } = await onetime('fields-onetime', { ...FIELDS, pg: 'kcp.MID_1' });
  expect([status, body.order]).toMatchObject([200, FIELDS]);
  const onRecord = { card_quota: 3, ...BUYER_ON_RECORD, pg_provider: 'kcp', pg_id: 'MID_1' };
  expect(await recordOf('fields-onetime')).toMatchObject(onRecord);
  await expectCustomData('fields-onetime', FIELDS.custom_data);
  expect(sentFor('/subscribe/payments/onetime', 'fields-onetime')).toMatchObject({ tax_free: 1000 });
});

test('a key-in payment of a known order carries what the order was registered with', async () => {
  await register('fields-known', FIELDS);
  expect((await onetime('fields-known', OTHER_BUYER)).status).toBe(200);
  expect(await recordOf('fields-known')).toMatchObject({ card_quota: 3, ...OTHER_BUYER_ON_RECORD });
  expect(await getOrder(world, 'fields-known')).toMatchObject(FIELDS);
});

test('each schedule carries its own fields, or those that its order was registered with', async () => {
  await register('plan-known', SCHEDULED_FIELDS);
  await register('plan-zero', { card_quota: 0, tax_free: 0 });
  const entries = [
    entry('plan-new', SCHEDULED_FIELDS),
    entry('plan-other', { ...OTHER_BUYER, custom_data: 'other' }),
    entry('plan-known'),
    entry('plan-zero'),
  ];
  expect((await schedule(...entries)).status).toBe(201);
  expect(await getOrder(world, 'plan-new')).toMatchObject(SCHEDULED_FIELDS);
  await world.advance(HOUR);
  for (const merchantUid of ['plan-new', 'plan-known']) {
    expect(await recordOf(merchantUid)).toMatchObject(BUYER_ON_RECORD);
    await expectCustomData(merchantUid, SCHEDULED_FIELDS.custom_data);
  }
  expect(await recordOf('plan-other')).toMatchObject(OTHER_BUYER_ON_RECORD);
  await expectCustomData('plan-other', 'other');
});

test.each([
  ['instalments of too small an order', { amount: 49_999 }, { card_quota: 2 }, 'card_quota: must be 0'],
  ['more free of tax than the order', { amount: 10 }, { tax_free: 11 }, 'tax_free: must not be more'],
])(
  'charging with %s is 400 with the reason; nothing is sent and no charge is written',
  async (name, order, said, why) => {
    const uid = name.replaceAll(' ', '-');
    await register(uid, order);
    const { status, body } = await expectNoEffect(world, () => charge(uid, said));
    expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toContain(why);
  },
);

test.each([
  ['card_quota', { card_quota: 3 }],
  ['tax_free', { tax_free: 1000 }],
])(
  'an order that was registered with %s is not scheduled without it: 409, and nothing is sent',
  async (name, fields) => {
    const uid = `plan-${name}`;
    await register(uid, fields);
    const { status, body } = await expectNoEffect(world, () => schedule(entry(uid)));
    expect([status, body.error?.code]).toEqual([409, 'order_conflict']);
    expect(body.error.message).toContain(`${uid}: The order is registered with card_quota or tax_free`);
  },
);

test('a charge is found after a lost answer, also with custom data that is masked and names another charge', async () => {
  const customData = [{ charge: 'abcdefghijklmnop' }, 4242424242424242];
  await register('fields-lost', { custom_data: customData });
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
  expect((await world.withoutNotifications(() => charge('fields-lost'))).status).toBe(202);
  await world.advance(6);
  expect(await chargesOf(world, 'fields-lost')).toMatchObject([{ status: 'paid', reason: 'no_answer' }]);
  expect((await getOrder(world, 'fields-lost')).custom_data).toEqual(customData);
});

test('nothing of a buyer is in the log, also where the service refuses them by value', async () => {
  await register('fields-echo', FIELDS);
  const message = `buyer_email: ${BUYER.email} of ${BUYER.name} is not possible`;
  const body = { code: 1, message, response: null };
  await world.sandbox.fault({ endpoint: CHARGE_KEY, status: 200, body });
  expect((await charge('fields-echo')).status).toBe(402);
  expect((await schedule(entry('plan-echo', SCHEDULED_FIELDS))).status).toBe(201);
  for (const value of Object.values(BUYER)) expect(world.log.text()).not.toContain(value);
  expect(world.log.text()).toContain('fields-echo');
});
