// A payment record has every field of the document, and is found by each of its ids (§2.4, §4.4, §4.9).

import { NOW, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

const all = (names: string, value: unknown) =>
  Object.fromEntries(names.split(' ').map((name) => [name, value]));
const PAID_RECORD = {
  ...all('emb_pg_provider bank_code bank_name vbank_code vbank_name vbank_num vbank_holder', null),
  ...all('fail_reason cancel_reason customer_uid customer_uid_usage', null),
  ...all('vbank_date vbank_issued_at failed_at cancelled_at card_quota cancel_amount', 0),
  ...all('pg_tid pg_id card_name buyer_name buyer_tel buyer_addr user_agent', expect.any(String)),
  ...all('escrow cash_receipt_issued sandbox', false),
  ...all('cancel_history cancel_receipt_urls', []),
  svc_uid: expect.stringMatching(/^\w{1,32}$/),
  merchant_uid: 'order-1',
  pay_method: 'card',
  channel: 'pc',
  pg_provider: 'nice',
  apply_num: expect.stringMatching(/^\d{8}$/),
  card_code: expect.stringMatching(/^\d{3}$/),
  card_number: '4242-42**-****-4242',
  card_type: expect.stringMatching(/^[01]$/),
  name: '책',
  amount: 1000,
  currency: 'KRW',
  buyer_email: expect.stringContaining('@'),
  buyer_postcode: expect.stringMatching(/^\d{5}$/),
  custom_data: '{"cart":7}',
  status: 'paid',
  started_at: NOW,
  paid_at: NOW,
  receipt_url: expect.stringMatching(/^http:.*\/receipts\/svc_\d+$/),
};

const show = (query: string) => service.get(`/payments${query}`);

test('the payment record has every field of the document: integers for times, 0 for never, null for what does not apply', async () => {
  const payment = await service.pay({ name: '책', custom_data: '{"cart":7}' });
  expect(payment).toEqual(PAID_RECORD);
  const { status, body } = await show(`/${payment.svc_uid}`);
  expect([status, body]).toEqual([200, { code: 0, message: null, response: payment }]);
});

test('the payment record of a virtual account is ready with an account to pay into, and paid after the deposit', async () => {
  const issued = await service.pay({ outcome: 'virtual_account' });
  expect(issued).toMatchObject({
    status: 'ready',
    vbank_code: '088',
    vbank_num: expect.any(String),
    vbank_issued_at: NOW,
    paid_at: 0,
  });
  expect(issued.vbank_date).toBeGreaterThan(NOW);
  await service.advance(3600);
  const deposit = () => service.control('POST', `/payments/${issued.svc_uid}/deposit`);
  expect((await deposit()).body).toMatchObject({ status: 'paid', started_at: NOW, paid_at: NOW + 3600 });
  expect((await deposit()).status).toBe(409);
});

test('answers 404 with the envelope for an unknown svc_uid', async () => {
  const message = expect.stringContaining('svc_uid');
  expect(await show('/svc_0')).toMatchObject({ status: 404, body: { code: -1, message, response: null } });
});

test('the payment record of a window with a new customer_uid issues its key, with a known one pays with it (customer_uid_usage)', async () => {
  expect((await service.pay({ customer_uid: 'card-1' })).customer_uid_usage).toBe('issue');
  expect((await service.get('/subscribe/customers/card-1')).status).toBe(200);
  expect((await service.pay({ customer_uid: 'card-1' })).customer_uid_usage).toBe('payment');
});

test('finds by svc_uid and by merchant_uid, 207 where some are missing, 404 where all are', async () => {
  const [one, other] = [await service.pay(), await service.pay({ merchant_uid: 'order-2' })];
  const both = await show(`?svc_uid[]=${one.svc_uid}&merchant_uid[]=order-2`);
  expect([both.status, both.body.response]).toEqual([200, [one, other]]);
  const some = await show(`?svc_uid[]=${one.svc_uid}&svc_uid[]=svc_0`);
  expect([some.status, some.body.response]).toEqual([207, [one]]);
  expect((await show('?svc_uid[]=svc_0')).status).toBe(404);
});

test('takes at most 100 and at least one', async () => {
  const { svc_uid } = await service.pay();
  const ids = Array.from({ length: 99 }, (_, index) => `svc_uid[]=svc_${index}&`).join('');
  const most = await show(`?${ids}svc_uid[]=${svc_uid}`);
  expect([most.status, most.body.response.length]).toEqual([207, 1]);
  expect((await show(`?${ids}svc_uid[]=${svc_uid}&svc_uid[]=one-more`)).status).toBe(400);
  expect((await show('')).status).toBe(400);
});

test('finds the newest of an order, filters by status, and lists all in pages', async () => {
  const failed = await service.pay({ outcome: 'failed' });
  await service.advance(5);
  const paid = await service.pay();
  const found = async (query: string) => (await show(query)).body.response;
  expect(await found('/find/order-1')).toEqual(paid);
  expect(await found('/find/order-1/failed')).toEqual(failed);
  expect(await found('/find/order-1?sorting=started')).toEqual(failed);
  const list = [paid, failed];
  expect(await found('/findAll/order-1')).toEqual({ total: 2, previous: 0, next: 0, list });
  expect((await found('/findAll/order-1/paid')).list).toEqual([paid]);
  expect((await show('/find/nothing')).status).toBe(404);
  expect((await show('/findAll/nothing')).status).toBe(404);
  expect((await show('/find/order-1/done')).status).toBe(400);
});
