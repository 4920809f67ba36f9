// A payment record has every field of the document, and is found by each of its ids (§2.4, §4.4, §4.9).

import { NOW, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();

const PAID_RECORD = {
  svc_uid: expect.stringMatching(/^\w{1,32}$/),
  merchant_uid: 'order-1',
  pay_method: 'card',
  channel: 'pc',
  pg_provider: 'nice',
  emb_pg_provider: null,
  pg_tid: expect.any(String),
  pg_id: expect.any(String),
  escrow: false,
  apply_num: expect.stringMatching(/^\d{8}$/),
  bank_code: null,
  bank_name: null,
  card_code: expect.stringMatching(/^\d{3}$/),
  card_name: expect.any(String),
  card_quota: 0,
  card_number: '4242-42**-****-4242',
  card_type: expect.stringMatching(/^[01]$/),
  vbank_code: null,
  vbank_name: null,
  vbank_num: null,
  vbank_holder: null,
  vbank_date: 0,
  vbank_issued_at: 0,
  name: '책',
  amount: 1000,
  cancel_amount: 0,
  currency: 'KRW',
  buyer_name: expect.any(String),
  buyer_email: expect.stringContaining('@'),
  buyer_tel: expect.any(String),
  buyer_addr: expect.any(String),
  buyer_postcode: expect.stringMatching(/^\d{5}$/),
  custom_data: '{"cart":7}',
  user_agent: expect.any(String),
  status: 'paid',
  started_at: NOW,
  paid_at: NOW,
  failed_at: 0,
  cancelled_at: 0,
  fail_reason: null,
  cancel_reason: null,
  receipt_url: expect.stringMatching(/^https:/),
  cancel_history: [],
  cancel_receipt_urls: [],
  cash_receipt_issued: false,
  customer_uid: null,
  customer_uid_usage: null,
  sandbox: false,
};

describe('the payment record (§2.4, §4.4)', () => {
  test('has every field of the document: integers for times, 0 for never, null for what does not apply', async () => {
    const payment = await service.pay({ name: '책', custom_data: '{"cart":7}' });
    expect(payment).toEqual(PAID_RECORD);
    const answer = await service.get(`/payments/${payment.svc_uid}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ code: 0, message: null, response: payment });
  });

  test('of a failed payment tells when and why, and has no receipt', async () => {
    expect(await service.pay({ outcome: 'failed', channel: 'mobile' })).toMatchObject({
      status: 'failed',
      channel: 'mobile',
      paid_at: 0,
      failed_at: NOW,
      fail_reason: expect.any(String),
      receipt_url: null,
      apply_num: null,
    });
  });

  test('of a virtual account is ready with an account to pay into, and paid after the deposit', async () => {
    const issued = await service.pay({ outcome: 'virtual_account' });
    expect(issued).toMatchObject({
      status: 'ready',
      pay_method: 'vbank',
      vbank_code: '088',
      vbank_num: expect.any(String),
      vbank_date: expect.any(Number),
      vbank_issued_at: NOW,
      paid_at: 0,
      card_number: null,
    });
    expect(issued.vbank_date).toBeGreaterThan(NOW);
    await service.advance(3600);
    const deposited = await service.control('POST', `/payments/${issued.svc_uid}/deposit`);
    expect(deposited.body).toMatchObject({ status: 'paid', started_at: NOW, paid_at: NOW + 3600 });
    expect((await service.control('POST', `/payments/${issued.svc_uid}/deposit`)).status).toBe(409);
  });

  test('answers 404 with the envelope for an unknown svc_uid', async () => {
    const answer = await service.get('/payments/svc_000000000000');
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ code: -1, message: expect.stringContaining('svc_uid'), response: null });
  });

  test('keeps amounts above two to the 31st', async () => {
    const { svc_uid } = await service.pay({ amount: 3_000_000_000 });
    expect((await service.get(`/payments/${svc_uid}`)).body.response.amount).toBe(3_000_000_000);
  });

  test('of a window with a new customer_uid issues its key, with a known one pays with it (customer_uid_usage)', async () => {
    expect((await service.pay({ customer_uid: 'card-1' })).customer_uid_usage).toBe('issue');
    expect((await service.get('/subscribe/customers/card-1')).status).toBe(200);
    expect((await service.pay({ customer_uid: 'card-1' })).customer_uid_usage).toBe('payment');
  });

  test('shows a forged record after tampering, also under the forged order', async () => {
    const { svc_uid } = await service.pay();
    await service.control('POST', `/payments/${svc_uid}/tamper`, {
      amount: 1,
      merchant_uid: 'other',
      currency: 'USD',
    });
    const forged = { svc_uid, amount: 1, merchant_uid: 'other', currency: 'USD' };
    expect((await service.get(`/payments/${svc_uid}`)).body.response).toMatchObject(forged);
    expect((await service.get('/payments/find/other')).body.response).toMatchObject(forged);
    expect((await service.get('/payments/find/order-1')).status).toBe(404);
  });
});

describe('several payments at once (§4.9)', () => {
  test('finds by svc_uid and by merchant_uid, 207 where some are missing, 404 where all are', async () => {
    const [one, other] = [await service.pay(), await service.pay({ merchant_uid: 'order-2' })];
    const both = await service.get(`/payments?svc_uid[]=${one.svc_uid}&merchant_uid[]=order-2`);
    expect([both.status, both.body.response]).toEqual([200, [one, other]]);
    const some = await service.get(`/payments?svc_uid[]=${one.svc_uid}&svc_uid[]=svc_0`);
    expect([some.status, some.body.response]).toEqual([207, [one]]);
    expect((await service.get('/payments?svc_uid[]=svc_0')).status).toBe(404);
  });

  test('takes at most 100 and at least one', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => `svc_uid[]=svc_${index}`);
    expect((await service.get(`/payments?${ids.join('&')}`)).status).toBe(400);
    expect((await service.get(`/payments?${ids.slice(1).join('&')}`)).status).toBe(404);
    expect((await service.get('/payments')).status).toBe(400);
  });
});

describe('payments of one order (§4.9)', () => {
  test('finds the newest, filters by status, and lists all in pages', async () => {
    const failed = await service.pay({ outcome: 'failed' });
    await service.advance(5);
    const paid = await service.pay();
    expect((await service.get('/payments/find/order-1')).body.response).toEqual(paid);
    expect((await service.get('/payments/find/order-1/failed')).body.response).toEqual(failed);
    expect((await service.get('/payments/find/order-1?sorting=started')).body.response).toEqual(failed);
    expect((await service.get('/payments/findAll/order-1')).body.response).toEqual({
      total: 2,
      previous: 0,
      next: 0,
      list: [paid, failed],
    });
    expect((await service.get('/payments/findAll/order-1/paid')).body.response.list).toEqual([paid]);
  });

  test('answers 404 where there is none and 400 for an unknown status', async () => {
    expect((await service.get('/payments/find/nothing')).status).toBe(404);
    expect((await service.get('/payments/findAll/nothing')).status).toBe(404);
    expect((await service.get('/payments/find/order-1/done')).status).toBe(400);
  });
});
