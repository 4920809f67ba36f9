// A key-in payment (§4.3) makes an order, its first payment and, on request, the key. Its call is never repeated.

import { CARD, CARD_WITH_LOST_ANSWER, DECLINED_CARD } from '../../support/cards';
import { expectNowhere } from '../../support/leak-search';
import { issuancesOf, keyOf } from '../../support/member-cards';
import { expectNoEffect } from '../../support/no-effect';
import { charge, chargesOf, getOrder, orderStatus, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const PAY_ONETIME = 'POST /subscribe/payments/onetime';

const world = useWorld();
// The notification of a charge may come after its answer; it must not meet the fault of the next test.
afterEach(() => world.sandbox.waitForNotifications());

const pay = (merchantUid: string, changes: Record<string, unknown> = {}) =>
  world.api('POST', '/api/onetime', {
    merchant_uid: merchantUid,
    name: 'Tea',
    amount: 1000,
    ...CARD,
    ...changes,
  });
const withKey = (customerUid: string) => ({ customer_uid: customerUid, member_id: 'member-1' });

test('a payment with a card registers its order, is paid, and stores no key unasked', async () => {
  const keysBefore = await world.rows.query('select * from billing_keys');
  const { status, body } = await pay('onetime-1');
  expect([status, body.outcome, body.order.status]).toEqual([200, 'paid', 'paid']);
  expect(body.order.payments).toMatchObject([{ amount: 1000, customer_uid: null }]);
  expect(await chargesOf(world, 'onetime-1')).toMatchObject([
    { kind: 'onetime', status: 'paid', customer_uid: null },
  ]);
  expect(await world.rows.query('select * from billing_keys')).toEqual(keysBefore);
});

test('who asks for a payment with a card is logged with the address of the caller', async () => {
  expect((await pay('onetime-by', { by: 'call centre, lee' })).status).toBe(200);
  const [line] = await world.log.requests({ merchant_uid: 'onetime-by', by: 'call centre, lee' });
  expect(line).toMatchObject({ outcome: 'paid', source: '127.0.0.1' });
});

test('with a customer_uid the key is stored, and pays the next order', async () => {
  const { status } = await pay('onetime-key', withKey('cust-onetime'));
  expect(status).toBe(200);
  expect(await keyOf(world, 'cust-onetime')).toMatchObject({
    member_id: 'member-1',
    status: 'active',
    card_number: '5409-13**-****-9012',
  });
  expect(await issuancesOf(world, 'cust-onetime')).toMatchObject([
    { status: 'issued', terms_version: 'api', privacy_version: 'api', card_last_four: '9012' },
  ]);
  await registerOrder(world, 'onetime-next', { member_id: 'member-1' });
  expect((await charge(world, 'onetime-next', 'cust-onetime')).status).toBe(200);
});

test('a double click pays once', async () => {
  const calls = await world.sandbox.requestsDuring(PAY_ONETIME, async () => {
    const answers = await Promise.all([pay('onetime-twice'), pay('onetime-twice')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
  expect(calls).toBe(1);
});

test('a lost answer is 202 and resolved for the payment and for the key', async () => {
  const { status, body } = await pay('onetime-lost', {
    ...withKey('cust-lost'),
    card_number: CARD_WITH_LOST_ANSWER,
  });
  expect([status, body.outcome]).toEqual([202, 'unknown']);
  expect((await pay('onetime-lost')).body.error.code).toMatch(/charge_pending|order_not_payable/);
  await world.advance(6);
  await world.advance(16);
  expect(await getOrder(world, 'onetime-lost')).toMatchObject({ status: 'paid' });
  expect(await chargesOf(world, 'onetime-lost')).toMatchObject([{ status: 'paid' }]);
  expect(await keyOf(world, 'cust-lost')).toMatchObject({
    status: 'active',
    card_number: '4000-00**-****-0085',
  });
});

test('a payment that never reached the service ends without a payment and without a key', async () => {
  await world.sandbox.fault({ endpoint: PAY_ONETIME, kind: 'reset' });
  expect((await pay('onetime-reset', withKey('cust-reset'))).status).toBe(202);
  expect(await keyOf(world, 'cust-reset')).toMatchObject({ status: 'pending' });
  for (const seconds of [6, 16, 61, 301, 901]) await world.advance(seconds);
  expect(await chargesOf(world, 'onetime-reset')).toMatchObject([{ status: 'not_executed' }]);
  expect(await keyOf(world, 'cust-reset')).toMatchObject({ status: 'failed' });
  expect((await pay('onetime-reset')).status).toBe(200);
});

test('a declined card is 402, the order stays payable, and its key is looked for before it is given up', async () => {
  const { status, body } = await pay('onetime-declined', {
    ...withKey('cust-declined'),
    card_number: DECLINED_CARD,
  });
  expect([status, body.error.code]).toEqual([402, 'payment_declined']);
  expect(body.error.message).toContain('한도초과');
  expect(await orderStatus(world, 'onetime-declined')).toBe('failed');
  for (const seconds of [16, 61, 301, 901]) await world.advance(seconds);
  expect(await keyOf(world, 'cust-declined')).toMatchObject({ status: 'failed' });
  expect((await pay('onetime-declined')).status).toBe(200);
});

test('a service that does not take requests leaves neither payment nor key: 503', async () => {
  await world.sandbox.fault({ endpoint: PAY_ONETIME, kind: 'status', status: 429 });
  const { status, body } = await pay('onetime-429', withKey('cust-429'));
  expect([status, body.error.code]).toEqual([503, 'service_unavailable']);
  expect(await keyOf(world, 'cust-429')).toMatchObject({ status: 'failed' });
  expect(await issuancesOf(world, 'cust-429')).toMatchObject([
    { status: 'declined', reason: 'not_executed' },
  ]);
});

test('a customer_uid that has a key is not replaced: 409, nothing is sent, and the order can be paid otherwise', async () => {
  await pay('onetime-first', withKey('cust-in-use'));
  const calls = await world.sandbox.requestsDuring(PAY_ONETIME, async () => {
    const { status, body } = await pay('onetime-in-use', withKey('cust-in-use'));
    expect([status, body.error.code]).toEqual([409, 'customer_uid_in_use']);
  });
  expect(calls).toBe(0);
  expect(await keyOf(world, 'cust-in-use')).toMatchObject({ status: 'active' });
  expect((await pay('onetime-in-use')).status).toBe(200);
});

test('an order that is registered with another amount is 409', async () => {
  await registerOrder(world, 'onetime-conflict', { amount: 2000 });
  const { status, body } = await pay('onetime-conflict');
  expect([status, body.error.code]).toEqual([409, 'order_conflict']);
  expect(await chargesOf(world, 'onetime-conflict')).toEqual([]);
});

test.each([
  ['no card number', { card_number: undefined }],
  ['fifteen digits', { card_number: '4242-4242-4242-424' }],
  ['full-width digits', { card_number: '４２４２-4242-4242-4242' }],
  ['a number for a text', { card_number: 4242424242424242 }],
  ['a past month', { expiry: '2020-01' }],
  ['an impossible birth date', { birth: '991332' }],
  ['one password digit', { pwd_2digit: '8' }],
  ['an amount of nothing', { amount: 0 }],
  ['half a won', { amount: 10.5 }],
  ['an amount as text', { amount: '1000' }],
  ['another currency', { currency: 'USD' }],
  ['a key that nobody holds', { customer_uid: 'cust-nobody' }],
  ['a customer_uid that is a path', { customer_uid: '../x', member_id: 'member-1' }],
  ['an order of dots', { merchant_uid: '..' }],
])('%s is 400, repeats nothing, registers nothing and sends nothing', async (_, changes) => {
  await world.sandbox.waitForNotifications();
  const { status, body } = await expectNoEffect(world, () => pay('onetime-bad', changes));
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  for (const value of [CARD.card_number, CARD.birth, '４２４２', '991332'])
    expect(body.error.message).not.toContain(value);
});

test('nothing of any card is in a row, a job, the log or the sandbox’s log', async () => {
  await pay('leaks-paid', withKey('cust-leaks'));
  await pay('leaks-lost', { card_number: CARD_WITH_LOST_ANSWER });
  await pay('leaks-declined', { card_number: DECLINED_CARD });
  const everything = [
    await world.rows.dump(),
    world.log.text(),
    JSON.stringify(await world.sandbox.call('GET', '/requests')),
  ].join('\n');
  for (const uid of ['leaks-paid', 'leaks-lost', 'leaks-declined']) expect(everything).toContain(uid);
  for (const digits of ['5409135724689012', '4000000000000085', '4000000000000002']) {
    expect(everything).not.toContain(digits);
    expect(everything).not.toContain(digits.replace(/(....)(?=.)/g, '$1-'));
  }
  expectNowhere(everything, [CARD.birth, CARD.expiry]);
});
