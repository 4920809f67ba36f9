// The amount that a merchant registers for an order, and what becomes of payments of another amount (§4.9).

import { CARD } from '../../support/cards';
import { NOW, refused, useReceiver, useSandbox } from '../../support/running-sandbox';

const receiver = useReceiver();
const service = useSandbox(() => ({ webhookUrl: receiver.url }));

const prepare = (fields: object = {}) =>
  service.post('/payments/prepare', { merchant_uid: 'order-1', amount: 1000, ...fields });
const registered = async (merchantUid = 'order-1') =>
  (await service.get(`/payments/prepare/${merchantUid}`)).body.response;
async function expectNothingMade() {
  expect((await service.get('/payments/find/order-1')).status).toBe(404);
  expect((await service.get('/subscribe/customers/card-2')).status).toBe(404);
}

test('registering answers what is registered, now and later, from JSON and from a form', async () => {
  const response = { merchant_uid: 'order-1', amount: 1000, currency: null };
  expect((await prepare()).body).toEqual({ code: 0, message: null, response });
  expect(await registered()).toEqual(response);
  const form = new URLSearchParams({ merchant_uid: 'order-2', amount: '50', currency: 'USD' });
  await service.post('/payments/prepare', form);
  expect(await registered('order-2')).toEqual({ merchant_uid: 'order-2', amount: 50, currency: 'USD' });
  expect((await service.get('/payments/prepare/order-3')).status).toBe(404);
});

test('registering takes the same amount again and refuses another one', async () => {
  await prepare();
  expect((await prepare()).body.code).toBe(0);
  for (const other of [{ amount: 999 }, { currency: 'USD' }])
    expect(await prepare(other)).toMatchObject(refused('merchant_uid: '));
  expect((await registered()).amount).toBe(1000);
});

describe('a payment of another amount', () => {
  beforeEach(async () => {
    await service.issueKey('card-1');
    await prepare();
  });

  test('does not come into being in the window, however it would end', async () => {
    for (const outcome of ['paid', 'failed', 'virtual_account']) {
      const asked = { merchant_uid: 'order-1', amount: 999, customer_uid: 'card-2', outcome };
      const message = expect.stringContaining('amount');
      const answer = await service.control('POST', '/payments', asked);
      expect(answer).toMatchObject({ status: 409, body: { message } });
    }
    await expectNothingMade();
  });

  test('is refused with a stored key and with a key-in payment, which issues no key', async () => {
    const order = { merchant_uid: 'order-1', amount: 1001, name: '책' };
    const pay = (name: string, fields: object) =>
      service.post(`/subscribe/payments/${name}`, { ...order, ...fields });
    expect(await pay('again', { customer_uid: 'card-1' })).toMatchObject(refused('amount: '));
    expect(await pay('onetime', { ...CARD, customer_uid: 'card-2' })).toMatchObject(refused('amount: '));
    await expectNothingMade();
    const paid = await pay('again', { customer_uid: 'card-1', amount: 1000 });
    expect(paid.body.response.status).toBe('paid');
  });

  test('fails at the time of its schedule, with a notification', async () => {
    const schedules = [{ merchant_uid: 'order-1', amount: 999, schedule_at: NOW + 60 }];
    const plan = await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules });
    expect(plan.body.code).toBe(0);
    await service.advance(60);
    expect((await service.get('/subscribe/payments/schedule/order-1')).body.response).toMatchObject({
      schedule_status: 'executed',
      payment_status: 'failed',
      fail_reason: expect.stringContaining('amount'),
    });
    expect(receiver.bodies()).toMatchObject([{ status: 'failed' }]);
  });

  test('is one of another currency, where a currency is registered', async () => {
    await prepare({ merchant_uid: 'order-2', currency: 'USD' });
    const pay = (merchant_uid: string, currency?: string) =>
      service.control('POST', '/payments', { merchant_uid, amount: 1000, currency });
    expect((await pay('order-2')).status).toBe(409);
    expect((await pay('order-2', 'USD')).body.status).toBe('paid');
    expect((await pay('order-1', 'USD')).body.status).toBe('paid');
  });
});
