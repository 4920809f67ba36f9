// A key-in payment (§4.3) creates an order, its first payment and, on request, the key. Its call is never repeated. The payment
// fields of an order reach the service, unless the charge overrides them. Fields that the service does not accept for a schedule are
// refused, because they would be lost silently.

import { codeOf } from '../../support/calls';
import { CARD, CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../../support/cards';
import { issuancesOf, keyOf } from '../../support/keys';
import {
  BUYER,
  BUYER_ON_RECORD,
  chargesOf,
  getOrder,
  orderStatus,
  registerOrder,
} from '../../support/orders';
import { useRecordedWorld } from '../../support/recorded-line';
import { expectNoEffect } from '../../support/rows';
import { CHARGE_KEY } from '../../support/sandbox-controls';
import { useKey } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const PAY_ONETIME = 'POST /subscribe/payments/onetime';
const HOUR = 3600;
const FIELDS = { card_quota: 3, tax_free: 1000, buyer: BUYER, custom_data: { cart: [7, 8] } };
/** §4.9 accepts neither instalments nor a tax-free part. */
const SCHEDULED_FIELDS = { buyer: BUYER, custom_data: { cart: [7, 8] } };

const world = useRecordedWorld({ logLevel: 'trace' });
const key = useKey(world);
// The notification of a charge may arrive after the answer; it must not use up the fault of the next test.
afterEach(() => world.sandbox.waitForNotifications());

const tea = (merchantUid: string) => ({ merchant_uid: merchantUid, name: 'Tea', amount: 60_000 });
const register = (merchantUid: string, fields: Record<string, unknown> = {}) =>
  registerOrder(world, merchantUid, { amount: 60_000, ...fields });
const charge = (merchantUid: string, fields: Record<string, unknown> = {}) =>
  world.api('POST', `/api/orders/${merchantUid}/charge`, { customer_uid: key.customerUid, ...fields });
const pay = (merchantUid: string, fields: Record<string, unknown> = {}) =>
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

const withKey = (customerUid: string) => ({ customer_uid: customerUid, member_id: 'member-1' });

test('a key-in payment registers its order, is paid once for repeated requests, and stores no key by default', async () => {
  const keysBefore = await world.rows.query('select * from billing_keys');
  const calls = await world.sandbox.requestsDuring(PAY_ONETIME, async () => {
    const both = await Promise.all([1, 2].map(() => pay('onetime-1')));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
  expect(calls).toBe(1);
  const order = await getOrder(world, 'onetime-1');
  expect(order.status).toBe('paid');
  expect(order.payments).toMatchObject([{ amount: 60_000, customer_uid: null }]);
  const paid = { kind: 'onetime', status: 'paid', customer_uid: null };
  expect(await chargesOf(world, 'onetime-1')).toMatchObject([paid]);
  expect(await world.rows.query('select * from billing_keys')).toEqual(keysBefore);
});

test('with a customer_uid the key is stored, and pays the next order', async () => {
  expect((await pay('onetime-key', withKey('cust-onetime'))).status).toBe(200);
  const stored = { member_id: 'member-1', status: 'active', card_number: '5409-13**-****-9012' };
  expect(await keyOf(world, 'cust-onetime')).toMatchObject(stored);
  expect(await issuancesOf(world, 'cust-onetime')).toMatchObject([
    { status: 'issued', terms_version: 'api', privacy_version: 'api', card_last_four: '9012' },
  ]);
  await registerOrder(world, 'onetime-next', { member_id: 'member-1' });
  expect((await charge('onetime-next', { customer_uid: 'cust-onetime' })).status).toBe(200);
});

test('a lost answer is 202 and resolved for the payment and for the key', async () => {
  const fields = { ...withKey('cust-lost'), card_number: CARD_WITH_LOST_ANSWER };
  const { status, body } = await pay('onetime-lost', fields);
  expect([status, body.outcome]).toEqual([202, 'unknown']);
  expect((await pay('onetime-lost')).body.error.code).toMatch(/charge_pending|order_not_payable/);
  await world.advance(6);
  await world.advance(16);
  expect(await getOrder(world, 'onetime-lost')).toMatchObject({ status: 'paid' });
  expect(await chargesOf(world, 'onetime-lost')).toMatchObject([{ status: 'paid' }]);
  const found = { status: 'active', card_number: '4000-00**-****-0085' };
  expect(await keyOf(world, 'cust-lost')).toMatchObject(found);
});

test('a declined card is 402, the order stays payable, and its key is polled for', async () => {
  const fields = { ...withKey('cust-declined'), card_number: DECLINED_CARD };
  const { status, body } = await pay('onetime-declined', fields);
  expect([status, body.error.code]).toEqual([402, 'payment_declined']);
  expect(body.error.message).toContain('한도초과');
  expect(await orderStatus(world, 'onetime-declined')).toBe('failed');
  for (const seconds of [16, 61, 301, 901]) await world.advance(seconds);
  expect(await keyOf(world, 'cust-declined')).toMatchObject({ status: 'failed' });
  expect((await pay('onetime-declined')).status).toBe(200);
});

test('a customer_uid with a key is a 409, nothing is sent, and the order can be paid in another way', async () => {
  await pay('onetime-first', withKey('cust-in-use'));
  const calls = await world.sandbox.requestsDuring(PAY_ONETIME, async () => {
    const answer = await codeOf(pay('onetime-in-use', withKey('cust-in-use')));
    expect(answer).toEqual([409, 'customer_uid_in_use']);
  });
  expect(calls).toBe(0);
  expect(await keyOf(world, 'cust-in-use')).toMatchObject({ status: 'active' });
  expect((await pay('onetime-in-use')).status).toBe(200);
});

test.each([
  ['a number of full-width digits', { card_number: '４２４２-4242-4242-4242' }],
  ['an unknown key', { customer_uid: 'cust-nobody' }],
])('%s is a 400 that repeats, registers and sends nothing', async (_, changes) => {
  const { status, body } = await expectNoEffect(world, () => pay('onetime-bad', changes));
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  for (const value of [CARD.card_number, CARD.birth, '４２４２'])
    expect(body.error.message).not.toContain(value);
});

test('a card without birth date or password digits is taken (§4.3), and what is given is checked', async () => {
  const paid = await world.api('POST', '/api/onetime', {
    merchant_uid: 'onetime-two-fields',
    name: 'Tea',
    amount: 1000,
    card_number: CARD.card_number,
    expiry: CARD.expiry,
  });
  expect([paid.status, paid.body.outcome]).toEqual([200, 'paid']);
  expect(sentFor('/subscribe/payments/onetime', 'onetime-two-fields')).not.toHaveProperty('birth');
  expect(await codeOf(pay('onetime-two-wrong', { pwd_2digit: '1' }))).toEqual([400, 'invalid_request']);
});

test('a card that has not 16 digits is refused with a sentence that names the brands which that leaves out', async () => {
  for (const card_number of ['378282246310005', '36227206271667', '6222021234567890123']) {
    const { status, body } = await pay('onetime-brand', { card_number });
    expect([status, body.error.param]).toEqual([400, 'card_number']);
    expect(body.error.message).toContain(
      'must have 16 digits (§2.2): American Express (15), Diners Club (14)',
    );
  }
});

test('an order is charged with the fields of its registration', async () => {
  await register('fields-order', FIELDS);
  expect((await charge('fields-order')).status).toBe(200);
  expect(await recordOf('fields-order')).toMatchObject({ card_quota: 3, ...BUYER_ON_RECORD });
  await expectCustomData('fields-order', FIELDS.custom_data);
  expect(sentFor('/subscribe/payments/again', 'fields-order')).toMatchObject({ tax_free: 1000 });
});

test('a key-in payment registers its fields with its order, and names its PG', async () => {
  const { status, body } = await pay('fields-onetime', { ...FIELDS, pg: 'kcp.MID_1' });
  expect([status, body.order]).toMatchObject([200, FIELDS]);
  const onRecord = { card_quota: 3, ...BUYER_ON_RECORD, pg_provider: 'kcp', pg_id: 'MID_1' };
  expect(await recordOf('fields-onetime')).toMatchObject(onRecord);
  await expectCustomData('fields-onetime', FIELDS.custom_data);
  expect(sentFor('/subscribe/payments/onetime', 'fields-onetime')).toMatchObject({ tax_free: 1000 });
});

describe('with CARD_PG', () => {
  const withGateway = useWorld({ environment: { CARD_PG: 'kcp.MID-7' } });

  test('a key-in payment goes to that gateway, unless it names another one', async () => {
    const payAt = async (merchantUid: string, gateway: object) => {
      const order = { merchant_uid: merchantUid, name: 'Tea', amount: 12_000 };
      await withGateway.api('POST', '/api/onetime', { ...order, ...CARD, ...gateway });
      return (await getOrder(withGateway, merchantUid)).payments[0].record.pg_provider;
    };
    expect([await payAt('by-setting', {}), await payAt('by-call', { pg: 'nice' })]).toEqual(['kcp', 'nice']);
  });
});

test('scheduling an order with card_quota or tax_free is a 409', async () => {
  for (const fields of [{ card_quota: 3 }, { tax_free: 1000 }]) {
    const uid = `plan-${Object.keys(fields).join()}`;
    await register(uid, fields);
    const { status, body } = await expectNoEffect(world, () => schedule(entry(uid)));
    expect([status, body.error?.code]).toEqual([409, 'order_conflict']);
    expect(body.error.message).toContain(`${uid}: The order is registered with card_quota or tax_free`);
  }
});

test('a refusal of the service is a 402 with its message, and the log has no data of the buyer', async () => {
  await register('fields-echo', FIELDS);
  const message = `card 4242-4242-4242-4242 and ${BUYER.email} of ${BUYER.name} are not possible`;
  const body = { code: 1, message, response: null };
  await world.sandbox.fault({ endpoint: CHARGE_KEY, status: 200, body });
  const refused = await charge('fields-echo');
  expect([refused.status, refused.body.error.code]).toEqual([402, 'payment_refused']);
  expect(refused.body.error.message).toContain('card 4242-42**-****-4242 and ');
  expect(await chargesOf(world, 'fields-echo')).toMatchObject([{ status: 'refused', svc_uid: null }]);
  expect((await schedule(entry('plan-echo', SCHEDULED_FIELDS))).status).toBe(201);
  for (const value of Object.values(BUYER)) {
    // Not within an id: five random digits may be those of the postcode.
    expect(world.log.text()).not.toMatch(new RegExp(`(?<![0-9a-z])${value}(?![0-9a-z])`));
  }
  expect(world.log.text()).toContain('fields-echo');
});
