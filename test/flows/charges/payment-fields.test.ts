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

test.each([
  ['charge', charge],
  ['key-in payment', onetime],
  ['schedule', (uid: string, fields: Record<string, unknown>) => schedule(entry(uid, fields))],
])('what a %s says goes before it, a buyer as a whole; the order stays as it was', async (name, pay) => {
  const uid = `said-by-${name.replaceAll(' ', '-')}`;
  await register(uid, SCHEDULED_FIELDS);
  expect([200, 201]).toContain((await pay(uid, OTHER_BUYER)).status);
  await world.advance(HOUR);
  expect(await recordOf(uid)).toMatchObject(OTHER_BUYER_ON_RECORD);
  await expectCustomData(uid, SCHEDULED_FIELDS.custom_data);
  expect(await getOrder(world, uid)).toMatchObject(SCHEDULED_FIELDS);
});

test('a key-in payment registers its order with it, and says where it is made', async () => {
  const { status, body } = await onetime('fields-onetime', { ...FIELDS, pg: 'kcp.MID_1' });
  expect([status, body.order]).toMatchObject([200, FIELDS]);
  const onRecord = { card_quota: 3, ...BUYER_ON_RECORD, pg_provider: 'kcp', pg_id: 'MID_1' };
  expect(await recordOf('fields-onetime')).toMatchObject(onRecord);
  await expectCustomData('fields-onetime', FIELDS.custom_data);
  expect(sentFor('/subscribe/payments/onetime', 'fields-onetime')).toMatchObject({ tax_free: 1000 });
});

test('a schedule registers its order with it; one-off and taxed is no obstacle', async () => {
  await register('plan-zero', { card_quota: 0, tax_free: 0 });
  const scheduled = await schedule(entry('plan-new', SCHEDULED_FIELDS), entry('plan-zero'));
  expect(scheduled.status).toBe(201);
  expect(await getOrder(world, 'plan-new')).toMatchObject(SCHEDULED_FIELDS);
  await world.advance(HOUR);
  expect(await recordOf('plan-new')).toMatchObject(BUYER_ON_RECORD);
  await expectCustomData('plan-new', SCHEDULED_FIELDS.custom_data);
});

test('charging with what does not fit the amount of the order is 400 with the reason, and nothing is sent', async () => {
  await register('fields-small', { amount: 49_999 });
  const { status, body } = await expectNoEffect(world, () => charge('fields-small', { card_quota: 2 }));
  expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
  expect(body.error.message).toContain('card_quota: must be 0');
});

test('an order that was registered with card_quota or tax_free is not scheduled without it: 409', async () => {
  for (const fields of [{ card_quota: 3 }, { tax_free: 1000 }]) {
    const uid = `plan-${Object.keys(fields).join()}`;
    await register(uid, fields);
    const { status, body } = await expectNoEffect(world, () => schedule(entry(uid)));
    expect([status, body.error?.code]).toEqual([409, 'order_conflict']);
    expect(body.error.message).toContain(`${uid}: The order is registered with card_quota or tax_free`);
  }
});

test('what the service refuses is 402 with its message, and nothing of a buyer is in the log', async () => {
  await register('fields-echo', FIELDS);
  const message = `card 4242-4242-4242-4242 and ${BUYER.email} of ${BUYER.name} are not possible`;
  const body = { code: 1, message, response: null };
  await world.sandbox.fault({ endpoint: CHARGE_KEY, status: 200, body });
  const refused = await charge('fields-echo');
  expect([refused.status, refused.body.error.code]).toEqual([402, 'payment_refused']);
  expect(refused.body.error.message).toContain('card 4242-42**-****-4242 and ');
  expect(await chargesOf(world, 'fields-echo')).toMatchObject([{ status: 'refused', svc_uid: null }]);
  expect((await schedule(entry('plan-echo', SCHEDULED_FIELDS))).status).toBe(201);
  for (const value of Object.values(BUYER)) expect(world.log.text()).not.toContain(value);
  expect(world.log.text()).toContain('fields-echo');
});
