// A stored key pays, a key-in payment can store its key, and the payments of a key are listed (§4.3, §4.6, §4.9).

import { CARD, DECLINED_CARD } from '../../support/cards';
import { NOW, refused, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

const order = { merchant_uid: 'order-1', amount: 50_000, name: '책' };
const again = (fields: object = {}) =>
  service.post('/subscribe/payments/again', { ...order, customer_uid: 'card-1', ...fields });
const onetime = (fields: object = {}) =>
  service.post('/subscribe/payments/onetime', { ...order, ...CARD, ...fields });
const keyStatus = async () => (await service.get('/subscribe/customers/card-1')).status;

describe('again: pay with a stored key (§4.9)', () => {
  beforeEach(() => service.issueKey('card-1'));

  test('answers the record of a payment by api with the card of the key', async () => {
    const sent = { buyer_name: '홍길동', card_quota: 3, custom_data: '{"a":1}' };
    const { body } = await again(sent);
    expect(body).toMatchObject({
      code: 0,
      response: {
        ...sent,
        merchant_uid: 'order-1',
        amount: 50_000,
        channel: 'api',
        status: 'paid',
        paid_at: NOW,
        card_number: '5409-13**-****-9012',
        customer_uid: 'card-1',
        customer_uid_usage: 'payment',
        buyer_email: null,
        user_agent: null,
      },
    });
  });

  test.each([
    ['customer_uid', [undefined]],
    ['merchant_uid', [undefined, 'x'.repeat(41)]],
    ['name', [undefined, 'x'.repeat(41)]],
    ['amount', [undefined, 0, -5, 10.5, '1e3', 2 ** 53]],
    ['currency', ['BTC']],
    ['buyer_name', ['x'.repeat(17)]],
    ['notice_url', ['ftp://example.com']],
    ['card_quota', [1]],
  ])('refuses %s of %j', async (field, values) => {
    for (const value of values) {
      const message = value === undefined ? `${field}: is required` : field;
      expect(await again({ [field]: value })).toMatchObject(refused(message));
    }
  });

  test('grants instalments from 50,000 only', async () => {
    expect(await again({ amount: 49_999, card_quota: 2 })).toMatchObject(refused('card_quota'));
    expect((await again({ amount: 50_000, card_quota: 2 })).body.code).toBe(0);
  });

  test('fails with code -1 for a customer_uid without a key', async () => {
    const words = '등록되지 않은 구매자입니다.';
    expect(await again({ customer_uid: 'nobody' })).toMatchObject(refused(words, -1));
  });

  test('pays an order once, and again only after a failure', async () => {
    await service.pay({ outcome: 'failed' });
    expect((await again()).body.code).toBe(0);
    expect(await again()).toMatchObject(refused('merchant_uid'));
  });
});

test('onetime pays and stores the key where a customer_uid is given', async () => {
  const { body } = await onetime({ customer_uid: 'card-1' });
  const response = { status: 'paid', customer_uid: 'card-1', customer_uid_usage: 'issue', channel: 'api' };
  expect(body).toMatchObject({ code: 0, response });
  expect(await keyStatus()).toBe(200);
});

test('onetime pays and stores nothing where none is given; birth and password may be absent', async () => {
  const { body } = await onetime({ birth: undefined, pwd_2digit: undefined });
  expect(body.response).toMatchObject({ status: 'paid', customer_uid: null, customer_uid_usage: null });
});

test('onetime of a refused card is processed with code 0 and failed, and stores no key', async () => {
  const { body } = await onetime({ card_number: DECLINED_CARD, customer_uid: 'card-1' });
  expect(body).toMatchObject({ code: 0, response: { status: 'failed', fail_reason: expect.any(String) } });
  expect(await keyStatus()).toBe(404);
});

test('payments made with a key are a paged object, the newest first, and a bare array by setting', async () => {
  const path = '/subscribe/customers/card-1/payments';
  await service.issueKey('card-1');
  for (let number = 1; number <= 22; number += 1) await again({ merchant_uid: `order-${number}` });
  const first = (await service.get(path)).body.response;
  expect(first).toMatchObject({ total: 22, previous: 0, next: 2 });
  expect([first.list.length, first.list[0].merchant_uid]).toEqual([20, 'order-22']);
  const second = (await service.get(`${path}?page=2`)).body.response;
  const last = [{ merchant_uid: 'order-2' }, { merchant_uid: 'order-1' }];
  expect(second).toMatchObject({ total: 22, previous: 1, next: 0, list: last });
  await service.settings({ billing_key_payments_shape: 'array' });
  expect((await service.get(`${path}?page=2`)).body.response).toEqual(second.list);
  expect((await service.get(path.replace('card-1', 'nobody'))).status).toBe(404);
  expect((await service.get(`${path}?page=0`)).status).toBe(400);
});
