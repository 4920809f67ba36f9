// A key-in payment (§4.3) makes an order, its first payment and, on request, the key. Its call is never repeated.

import { codeOf } from '../../support/call-api';
import { CARD, CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../../support/cards';
import { issuancesOf, keyOf } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { charge, chargesOf, getOrder, orderStatus, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const PAY_ONETIME = 'POST /subscribe/payments/onetime';

const world = useWorld();
// The notification of a charge may come after its answer; it must not meet the fault of the next test.
afterEach(() => world.sandbox.waitForNotifications());

const pay = (merchantUid: string, changes: Record<string, unknown> = {}) => {
  const order = { merchant_uid: merchantUid, name: 'Tea', amount: 1000 };
  return world.api('POST', '/api/onetime', { ...order, ...CARD, ...changes });
};
const withKey = (customerUid: string) => ({ customer_uid: customerUid, member_id: 'member-1' });

test('a payment with a card registers its order, is paid once however often it is asked for, and stores no key unasked', async () => {
  const keysBefore = await world.rows.query('select * from billing_keys');
  const calls = await world.sandbox.requestsDuring(PAY_ONETIME, async () => {
    const both = await Promise.all([1, 2].map(() => pay('onetime-1', { by: 'call centre, lee' })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
  expect(calls).toBe(1);
  const order = await getOrder(world, 'onetime-1');
  expect(order.status).toBe('paid');
  expect(order.payments).toMatchObject([{ amount: 1000, customer_uid: null }]);
  const paid = { kind: 'onetime', status: 'paid', customer_uid: null };
  expect(await chargesOf(world, 'onetime-1')).toMatchObject([paid]);
  expect(await world.rows.query('select * from billing_keys')).toEqual(keysBefore);
  const fields = { merchant_uid: 'onetime-1', by: 'call centre, lee', outcome: 'paid' };
  expect(await world.log.requests(fields)).toMatchObject([{ source: '127.0.0.1' }]);
});

test('with a customer_uid the key is stored, and pays the next order', async () => {
  expect((await pay('onetime-key', withKey('cust-onetime'))).status).toBe(200);
  const stored = { member_id: 'member-1', status: 'active', card_number: '5409-13**-****-9012' };
  expect(await keyOf(world, 'cust-onetime')).toMatchObject(stored);
  expect(await issuancesOf(world, 'cust-onetime')).toMatchObject([
    { status: 'issued', terms_version: 'api', privacy_version: 'api', card_last_four: '9012' },
  ]);
  await registerOrder(world, 'onetime-next', { member_id: 'member-1' });
  expect((await charge(world, 'onetime-next', 'cust-onetime')).status).toBe(200);
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

test('a declined card is 402, the order stays payable, and its key is looked for before it is given up', async () => {
  const fields = { ...withKey('cust-declined'), card_number: DECLINED_CARD };
  const { status, body } = await pay('onetime-declined', fields);
  expect([status, body.error.code]).toEqual([402, 'payment_declined']);
  expect(body.error.message).toContain('한도초과');
  expect(await orderStatus(world, 'onetime-declined')).toBe('failed');
  for (const seconds of [16, 61, 301, 901]) await world.advance(seconds);
  expect(await keyOf(world, 'cust-declined')).toMatchObject({ status: 'failed' });
  expect((await pay('onetime-declined')).status).toBe(200);
});

test('a service that does not take requests leaves neither payment nor key: 503', async () => {
  await world.sandbox.fault({ endpoint: PAY_ONETIME, kind: 'status', status: 429 });
  const answer = await codeOf(pay('onetime-429', withKey('cust-429')));
  expect(answer).toEqual([503, 'service_unavailable']);
  expect(await chargesOf(world, 'onetime-429')).toMatchObject([{ status: 'not_executed' }]);
  expect(await keyOf(world, 'cust-429')).toMatchObject({ status: 'failed' });
  const declined = { status: 'declined', reason: 'not_executed' };
  expect(await issuancesOf(world, 'cust-429')).toMatchObject([declined]);
});

test('a customer_uid that has a key is not replaced: 409, nothing is sent, and the order can be paid otherwise', async () => {
  await pay('onetime-first', withKey('cust-in-use'));
  const calls = await world.sandbox.requestsDuring(PAY_ONETIME, async () => {
    const answer = await codeOf(pay('onetime-in-use', withKey('cust-in-use')));
    expect(answer).toEqual([409, 'customer_uid_in_use']);
  });
  expect(calls).toBe(0);
  expect(await keyOf(world, 'cust-in-use')).toMatchObject({ status: 'active' });
  expect((await pay('onetime-in-use')).status).toBe(200);
});

test('an order that is registered with another amount is 409', async () => {
  await registerOrder(world, 'onetime-conflict', { amount: 2000 });
  expect(await codeOf(pay('onetime-conflict'))).toEqual([409, 'order_conflict']);
  expect(await chargesOf(world, 'onetime-conflict')).toEqual([]);
});

test.each([
  ['a number of full-width digits', { card_number: '４２４２-4242-4242-4242' }],
  ['a key that nobody holds', { customer_uid: 'cust-nobody' }],
])('%s is 400, repeats nothing, registers nothing and sends nothing', async (_, changes) => {
  await world.sandbox.waitForNotifications();
  const { status, body } = await expectNoEffect(world, () => pay('onetime-bad', changes));
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  for (const value of [CARD.card_number, CARD.birth, '４２４２'])
    expect(body.error.message).not.toContain(value);
});
