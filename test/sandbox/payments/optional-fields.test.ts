// Fields of the records that are null or false for most payments, and what makes each of them appear (§2.3, §2.4).

import { CARD } from '../../support/cards';
import { NOW, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

const again = (order: object) =>
  service.post('/subscribe/payments/again', { amount: 1000, name: '책', customer_uid: 'card-1', ...order });

const NO_TYPE = { pg_provider: 'danal', card_type: null, card_code: expect.any(String) };

test('card_type is null in key and payment of the provider that does not provide it', async () => {
  expect((await service.issueKey('card-1', { pg: 'danal' })).body.response).toMatchObject(NO_TYPE);
  expect((await again({ merchant_uid: 'order-1' })).body.response).toMatchObject(NO_TYPE);
  expect(await service.pay({ pg_provider: 'danal', customer_uid: 'card-2' })).toMatchObject(NO_TYPE);
  expect((await service.get('/subscribe/customers/card-2')).body.response).toMatchObject(NO_TYPE);
});

const KAKAO = { pay_method: 'kakaopay', emb_pg_provider: 'kakaopay', card_number: null };
const RECEIPT = { cash_receipt_issued: true };
const NO_RECEIPT = { cash_receipt_issued: false };
const NOT_PAID = { paid_at: 0, failed_at: NOW, receipt_url: null, apply_num: null };
const ACCOUNT = { vbank_num: expect.any(String), vbank_issued_at: NOW };
test.each<[object, object]>([
  [{ pay_method: 'kakaopay' }, KAKAO],
  [{ emb_pg_provider: 'payco' }, { emb_pg_provider: 'payco' }],
  [{ pay_method: 'trans' }, { emb_pg_provider: null, escrow: false }],
  [{ pay_method: 'trans', escrow: true }, { escrow: true }],
  [{ pay_method: 'trans', ...RECEIPT }, RECEIPT],
  [{ outcome: 'virtual_account', ...RECEIPT }, RECEIPT],
  [{ pay_method: 'card', ...RECEIPT }, NO_RECEIPT],
  [
    { outcome: 'failed', channel: 'mobile' },
    { ...NOT_PAID, status: 'failed', channel: 'mobile' },
  ],
  [
    { outcome: 'virtual_account', pay_method: 'card' },
    { ...ACCOUNT, pay_method: 'vbank', card_number: null },
  ],
  [{ pay_method: 'vbank' }, { ...ACCOUNT, status: 'paid', paid_at: NOW }],
])('a payment that is asked for with %j has a record with %j', async (asked, record) => {
  expect(await service.pay(asked)).toMatchObject(record);
});

test('sandbox is true for every payment that is made while `test_channel` is set, and stays so', async () => {
  await service.pay({ merchant_uid: 'before' });
  await service.settings({ test_channel: true });
  expect((await service.pay({ merchant_uid: 'window', customer_uid: 'card-1' })).sandbox).toBe(true);
  await again({ merchant_uid: 'again' });
  const onetime = { ...CARD, merchant_uid: 'onetime', amount: 1, name: '책' };
  await service.post('/subscribe/payments/onetime', onetime);
  const schedules = [{ merchant_uid: 'scheduled', schedule_at: NOW + 60, amount: 1000 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules });
  await service.advance(60);
  await service.settings({ test_channel: false });
  for (const made of ['before', 'window', 'again', 'onetime', 'scheduled']) {
    const { body } = await service.get(`/payments/find/${made}?include_sandbox=true`);
    expect([made, body.response.sandbox]).toEqual([made, made !== 'before']);
  }
});
