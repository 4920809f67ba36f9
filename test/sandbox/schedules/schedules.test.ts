// Schedules are created, executed at their time, revoked and listed (§2.5, §3, §4.8, §4.9).

import { CARD, CARD_THAT_FAILS } from '../../support/cards';
import { NOW, refused, runReceiver, useSandbox } from '../../support/running-sandbox';

const service = useSandbox();
beforeEach(async () => {
  await service.issueKey('card-1');
});

const entry = (merchant_uid: string, after: number, fields: object = {}) => ({
  merchant_uid,
  schedule_at: NOW + after,
  amount: 700,
  name: '구독',
  ...fields,
});
const schedule = (schedules: object[], fields: object = {}) =>
  service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules, ...fields });
const revoke = (fields: object = {}) =>
  service.post('/subscribe/payments/unschedule', { customer_uid: 'card-1', ...fields });
const list = (query = '') =>
  service.get(`/subscribe/payments/schedule?schedule_from=${NOW}&schedule_to=${NOW + 9999}${query}`);
const orders = async (query = '') => (await list(query)).body.response.map((each: any) => each.merchant_uid);
const one = async (merchantUid: string) =>
  (await service.get(`/subscribe/payments/schedule/${merchantUid}`)).body.response;

const PLANNED = {
  code: 0,
  message: null,
  customer_uid: 'card-1',
  merchant_uid: 'sub-1',
  svc_uid: null,
  schedule_at: NOW + 60,
  executed_at: 0,
  revoked_at: 0,
  amount: 700,
  currency: 'KRW',
  name: '구독',
  buyer_name: '홍길동',
  buyer_email: null,
  buyer_tel: null,
  buyer_addr: null,
  buyer_postcode: null,
  custom_data: null,
  schedule_status: 'scheduled',
  payment_status: null,
  fail_reason: null,
};

describe('planning (§4.9)', () => {
  test('answers the records with every field of §2.5; payment_status is a real null', async () => {
    const { body } = await schedule([entry('sub-1', 60, { buyer_name: '홍길동' })]);
    expect(body).toEqual({ code: 0, message: null, response: [PLANNED] });
    expect(await one('sub-1')).toEqual(PLANNED);
  });

  test('takes a form with numbered schedules', async () => {
    const form = new URLSearchParams({
      customer_uid: 'card-1',
      'schedules[0][merchant_uid]': 'sub-1',
      'schedules[0][schedule_at]': String(NOW + 60),
      'schedules[0][amount]': '700',
    });
    expect((await service.post('/subscribe/payments/schedule', form)).body.response[0].amount).toBe(700);
  });

  test('issues the key by card fields where the customer_uid has none, and fails without', async () => {
    const withoutCard = await schedule([entry('sub-1', 60)], { customer_uid: 'card-2' });
    expect(withoutCard).toMatchObject(refused('등록된 고객정보가 없습니다.'));
    expect((await schedule([entry('sub-1', 60)], { customer_uid: 'card-2', ...CARD })).body.code).toBe(0);
    expect((await service.get('/subscribe/customers/card-2')).status).toBe(200);
  });

  test('plans all or none: a time past, an order twice or a missing field refuses every entry', async () => {
    const past = await schedule([entry('sub-1', 60), entry('sub-2', 0)]);
    expect(past).toMatchObject(refused('schedules[1][schedule_at]: is not in the future'));
    expect((await schedule([entry('sub-1', 60), entry('sub-1', 90)])).body.code).toBe(1);
    const missing = await schedule([entry('sub-1', 60, { amount: undefined })]);
    expect(missing).toMatchObject(refused('schedules[0][amount]: is required'));
    const tooLate = await schedule([entry('sub-1', 2 ** 32 - NOW)]);
    expect(tooLate).toMatchObject(refused('schedules[0][schedule_at]'));
    expect(await orders()).toEqual([]);
  });

  test('refuses an order that is already planned', async () => {
    await schedule([entry('sub-1', 60)]);
    expect((await schedule([entry('sub-1', 90)])).body).toMatchObject({
      code: 1,
      message: expect.stringContaining('sub-1'),
    });
  });
});

describe('execution at the planned time (§3)', () => {
  test('pays with the key, not a second earlier', async () => {
    await schedule([entry('sub-1', 60)]);
    await service.advance(59);
    expect((await one('sub-1')).schedule_status).toBe('scheduled');
    await service.advance(1);
    const executed = await one('sub-1');
    expect(executed).toMatchObject({
      schedule_status: 'executed',
      payment_status: 'paid',
      executed_at: NOW + 60,
    });
    const payment = (await service.get(`/payments/${executed.svc_uid}`)).body.response;
    expect(payment).toMatchObject({
      merchant_uid: 'sub-1',
      amount: 700,
      started_at: NOW + 60,
      paid_at: NOW + 60,
      channel: 'api',
      customer_uid: 'card-1',
      customer_uid_usage: 'payment.scheduled',
    });
  });

  test('fails by the test card, or where the key was deleted meanwhile', async () => {
    await service.issueKey('card-2', { card_number: CARD_THAT_FAILS });
    await schedule([entry('by-card', 60)], { customer_uid: 'card-2' });
    await schedule([entry('by-deletion', 60)]);
    await service.remove('/subscribe/customers/card-1');
    await service.advance(60);
    for (const merchantUid of ['by-card', 'by-deletion'])
      expect(await one(merchantUid)).toMatchObject({
        schedule_status: 'executed',
        payment_status: 'failed',
        fail_reason: expect.any(String),
      });
  });

  test('shows cancelled once the payment was approved and then refunded', async () => {
    await schedule([entry('sub-1', 60)]);
    await service.advance(60);
    await service.post('/payments/cancel', { merchant_uid: 'sub-1' });
    expect(await one('sub-1')).toMatchObject({ schedule_status: 'executed', payment_status: 'cancelled' });
  });

  test('runs in time order, each notified before the clock goes on', async () => {
    const receiver = await runReceiver();
    await service.settings({ webhook_url: receiver.url });
    await service.issueKey('card-2', { card_number: CARD_THAT_FAILS });
    await schedule([entry('later', 120), entry('sooner', 60)]);
    await schedule([entry('failing', 90)], { customer_uid: 'card-2' });
    expect((await service.advance(3600)).body).toEqual({ now: NOW + 3600 });
    expect(receiver.bodies().map(({ merchant_uid, status }) => [merchant_uid, status])).toEqual([
      ['sooner', 'paid'],
      ['failing', 'failed'],
      ['later', 'paid'],
    ]);
    await receiver.close();
  });
});

describe('revoking (§4.9)', () => {
  test('revokes the named orders, or all of the key, and what is revoked is not executed', async () => {
    await schedule([entry('sub-1', 60), entry('sub-2', 70), entry('sub-3', 80)]);
    const named = await revoke({ merchant_uid: ['sub-2'] });
    expect(named.body.response).toEqual([
      expect.objectContaining({
        merchant_uid: 'sub-2',
        schedule_status: 'revoked',
        revoked_at: NOW,
        payment_status: null,
      }),
    ]);
    // Clients that keep a list send it empty for "all".
    const all = await revoke({ merchant_uid: [] });
    expect(all.body.response.map((each: any) => each.merchant_uid)).toEqual(['sub-1', 'sub-3']);
    await service.advance(100);
    expect(await orders('&schedule_status=executed')).toEqual([]);
    expect((await service.get('/payments/find/sub-1')).status).toBe(404);
  });

  test('takes orders without their key, and asks for one of the two', async () => {
    await service.issueKey('card-2');
    await schedule([entry('sub-1', 60), entry('sub-2', 70)]);
    await schedule([entry('sub-3', 80)], { customer_uid: 'card-2' });
    const { body } = await revoke({ customer_uid: undefined, merchant_uid: ['sub-2', 'sub-3'] });
    expect(body.response.map((each: any) => each.merchant_uid)).toEqual(['sub-2', 'sub-3']);
    expect(await orders('&schedule_status=scheduled')).toEqual(['sub-1']);
    expect(await revoke({ customer_uid: undefined })).toMatchObject(
      refused('customer_uid, merchant_uid: one is required'),
    );
    expect((await one('sub-1')).schedule_status).toBe('scheduled');
  });

  test('fails with a non-zero code where nothing is planned', async () => {
    expect(await revoke()).toMatchObject(refused('취소할 예약결제 기록이 존재하지 않습니다.'));
  });

  test('leaves the order free to be planned again', async () => {
    await schedule([entry('sub-1', 60)]);
    await revoke();
    expect((await schedule([entry('sub-1', 90)])).body.code).toBe(0);
    expect((await one('sub-1')).schedule_at).toBe(NOW + 90);
  });
});

describe('schedules by period (§4.8)', () => {
  beforeEach(() => schedule([entry('sub-2', 120), entry('sub-1', 60), entry('sub-3', 180)]));

  test('answers an array, the newest time first, or the oldest first by `scheduled`', async () => {
    expect(await orders()).toEqual(['sub-3', 'sub-2', 'sub-1']);
    expect(await orders('&sorting=scheduled')).toEqual(['sub-1', 'sub-2', 'sub-3']);
  });

  test('filters by status and cuts pages of `limit`', async () => {
    await service.advance(60);
    await revoke({ merchant_uid: 'sub-2' });
    expect(await orders('&schedule_status=executed')).toEqual(['sub-1']);
    expect(await orders('&schedule_status=revoked')).toEqual(['sub-2']);
    expect(await orders('&schedule_status=scheduled')).toEqual(['sub-3']);
    expect(await orders('&limit=2&page=2')).toEqual(['sub-1']);
    expect(await orders('&page=9')).toEqual([]);
  });

  test('begins with `schedule_from` and ends before `schedule_to`', async () => {
    const { body } = await service.get(
      `/subscribe/payments/schedule?schedule_from=${NOW + 60}&schedule_to=${NOW + 180}`,
    );
    expect(body.response.map((each: any) => each.merchant_uid)).toEqual(['sub-2', 'sub-1']);
  });

  test('holds 20 by default', async () => {
    await schedule(Array.from({ length: 20 }, (_, index) => entry(`more-${index}`, 200)));
    expect(await orders()).toHaveLength(20);
    expect(await orders('&limit=1000')).toHaveLength(23);
  });

  test.each([
    ['schedule_to=1', 'schedule_from'],
    ['schedule_from=1', 'schedule_to'],
    ['schedule_from=2&schedule_to=1', 'schedule_from'],
    ['schedule_from=x&schedule_to=1', 'schedule_from'],
    ['schedule_from=1&schedule_to=2&schedule_status=done', 'schedule_status'],
    ['schedule_from=1&schedule_to=2&limit=1001', 'limit'],
    ['schedule_from=1&schedule_to=2&page=0', 'page'],
    ['schedule_from=1&schedule_to=2&sorting=amount', 'sorting'],
  ])('answers 400 for %s', async (query, field) => {
    const answer = await service.get(`/subscribe/payments/schedule?${query}`);
    expect([answer.status, answer.body.message.split(':')[0]]).toEqual([400, field]);
  });
});

test('answers 404 for an order that was never planned', async () => {
  expect((await service.get('/subscribe/payments/schedule/nothing')).status).toBe(404);
});
