// The amount that a merchant registers for an order, and what becomes of payments of another amount (§4.9).

import { CARD } from '../../support/cards';
import { NOW, refused, runReceiver, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

const prepare = (fields: object = {}) =>
  service.post('/payments/prepare', { merchant_uid: 'order-1', amount: 1000, ...fields });
const registered = async (merchantUid = 'order-1') =>
  (await service.get(`/payments/prepare/${merchantUid}`)).body.response;
const hasPayments = async () => (await service.get('/payments/find/order-1')).status === 200;

describe('registering (§4.9)', () => {
  test('answers what is registered, now and later, from JSON and from a form', async () => {
    const expected = { merchant_uid: 'order-1', amount: 1000, currency: null };
    expect((await prepare()).body).toEqual({ code: 0, message: null, response: expected });
    expect(await registered()).toEqual(expected);
    const form = new URLSearchParams({ merchant_uid: 'order-2', amount: '50', currency: 'USD' });
    await service.post('/payments/prepare', form);
    expect(await registered('order-2')).toEqual({ merchant_uid: 'order-2', amount: 50, currency: 'USD' });
  });

  test('takes the same amount again and refuses another one', async () => {
    await prepare();
    expect((await prepare()).body.code).toBe(0);
    expect(await prepare({ amount: 999 })).toMatchObject(refused('merchant_uid: '));
    expect(await prepare({ currency: 'USD' })).toMatchObject(refused('merchant_uid: '));
    expect((await registered()).amount).toBe(1000);
  });

  test.each([
    ['merchant_uid', undefined],
    ['merchant_uid', 'x'.repeat(41)],
    ['amount', undefined],
    ['amount', 0],
    ['amount', 'much'],
    ['currency', 'BTC'],
  ])('refuses %s of %s', async (field, value) => {
    expect(await prepare({ [field]: value })).toMatchObject(refused(field));
  });

  test('answers 404 for an order without a registered amount', async () => {
    expect((await service.get('/payments/prepare/order-1')).status).toBe(404);
  });
});

describe('a payment of another amount', () => {
  beforeEach(async () => {
    await service.issueKey('card-1');
    await prepare();
  });

  test.each(['paid', 'failed', 'virtual_account'])(
    'does not come into being in the window, however it would end: %s',
    async (outcome) => {
      const { body, status } = await service.control('POST', '/payments', {
        merchant_uid: 'order-1',
        amount: 999,
        customer_uid: 'card-2',
        outcome,
      });
      expect([status, body.message]).toEqual([409, expect.stringContaining('amount')]);
      expect(await hasPayments()).toBe(false);
      expect((await service.get('/subscribe/customers/card-2')).status).toBe(404);
    },
  );

  test('is refused with a stored key and with a key-in payment, which issues no key', async () => {
    const order = { merchant_uid: 'order-1', amount: 1001, name: '책' };
    const again = await service.post('/subscribe/payments/again', { ...order, customer_uid: 'card-1' });
    expect(again).toMatchObject(refused('amount: '));
    const card = { ...CARD, customer_uid: 'card-2' };
    expect(await service.post('/subscribe/payments/onetime', { ...order, ...card })).toMatchObject(
      refused('amount: '),
    );
    expect(await hasPayments()).toBe(false);
    expect((await service.get('/subscribe/customers/card-2')).status).toBe(404);
  });

  test('fails at the time of its schedule, with a notification', async () => {
    const receiver = await runReceiver();
    await service.settings({ webhook_url: receiver.url });
    const schedules = [{ merchant_uid: 'order-1', amount: 999, schedule_at: NOW + 60 }];
    const plan = await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules });
    expect(plan.body.code).toBe(0);
    await service.advance(60);
    expect((await service.get('/subscribe/payments/schedule/order-1')).body.response).toMatchObject({
      schedule_status: 'executed',
      payment_status: 'failed',
      fail_reason: expect.stringContaining('amount'),
    });
    expect(receiver.bodies().map(({ status }) => status)).toEqual(['failed']);
    await receiver.close();
  });

  test('is one of another currency, where a currency is registered', async () => {
    await prepare({ merchant_uid: 'order-2', currency: 'USD' });
    const pay = (fields: object) => service.control('POST', '/payments', { amount: 1000, ...fields });
    expect((await pay({ merchant_uid: 'order-2' })).status).toBe(409);
    expect((await pay({ merchant_uid: 'order-2', currency: 'USD' })).body.status).toBe('paid');
    expect((await pay({ merchant_uid: 'order-1', currency: 'USD' })).body.status).toBe('paid');
  });
});

test('lets payments of the registered amount and of other orders through', async () => {
  await prepare();
  expect((await service.pay({ merchant_uid: 'order-2', amount: 5 })).status).toBe('paid');
  expect((await service.pay({ outcome: 'failed' })).status).toBe('failed');
  await service.issueKey('card-1');
  const order = { merchant_uid: 'order-1', amount: 1000, name: '책', customer_uid: 'card-1' };
  expect((await service.post('/subscribe/payments/again', order)).body.response.status).toBe('paid');
});
