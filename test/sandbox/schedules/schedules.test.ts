// Schedules are created, executed at their time, revoked and listed (§2.5, §3, §4.8, §4.9).

import { CARD, CARD_THAT_FAILS } from '../../support/cards';
import { NOW, refused, useReceiver, useSandbox } from '../../support/running-sandbox';

const receiver = useReceiver();
const service = useSandbox(() => ({ webhookUrl: receiver.url }));
beforeEach(async () => {
  await service.issueKey('card-1');
});

const entry = (merchant_uid: string, after: number, fields: object = {}) => ({
  merchant_uid,
  schedule_at: NOW + after,
  amount: 700,
  name: '정기결제',
  ...fields,
});
const entries = (count: number) =>
  Array.from({ length: count }, (_, index) => entry(`sub-${index}`, 60 + index));
const schedule = (schedules: object[], fields: object = {}) =>
  service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules, ...fields });
const revoke = (fields: object = {}) =>
  service.post('/subscribe/payments/unschedule', { customer_uid: 'card-1', ...fields });
const ordersAt = async (path: string) =>
  (await service.get(path)).body.response.map((each: any) => each.merchant_uid);
const orders = (query = '') =>
  ordersAt(`/subscribe/payments/schedule?schedule_from=${NOW}&schedule_to=${NOW + 9999}${query}`);
const one = async (merchantUid: string) =>
  (await service.get(`/subscribe/payments/schedule/${merchantUid}`)).body.response;

test('answers the records with every field of §2.5; payment_status is a real null; 404 for an order never planned', async () => {
  const entered = entry('sub-1', 60, { buyer_name: '홍길동' });
  const unknown = ['buyer_email', 'buyer_tel', 'buyer_addr', 'buyer_postcode', 'custom_data'];
  const planned = {
    ...entered,
    ...Object.fromEntries(unknown.map((name) => [name, null])),
    code: 0,
    message: null,
    customer_uid: 'card-1',
    svc_uid: null,
    executed_at: 0,
    revoked_at: 0,
    currency: 'KRW',
    schedule_status: 'scheduled',
    payment_status: null,
    fail_reason: null,
  };
  const { body } = await schedule([entered]);
  expect(body).toEqual({ code: 0, message: null, response: [planned] });
  expect(await one('sub-1')).toEqual(planned);
  expect((await service.get('/subscribe/payments/schedule/nothing')).status).toBe(404);
});

test('issues the key by card fields where the customer_uid has none, and fails without', async () => {
  const customer = { customer_uid: 'card-2' };
  const withoutCard = await schedule([entry('sub-1', 60)], customer);
  expect(withoutCard).toMatchObject(refused('등록된 고객정보가 없습니다.'));
  expect((await schedule([entry('sub-1', 60)], { ...customer, ...CARD })).body.code).toBe(0);
  expect((await service.get('/subscribe/customers/card-2')).status).toBe(200);
});

test('plans all or none: a time past, an order twice or a missing field refuses every entry', async () => {
  for (const [second, message] of [
    [entry('sub-2', 0), 'schedules[1][schedule_at]: is not in the future'],
    [entry('sub-2', 2 ** 32 - NOW), 'schedules[1][schedule_at]'],
    [entry('sub-2', 60, { amount: undefined }), 'schedules[1][amount]: is required'],
    [entry('sub-1', 90), 'sub-1'],
  ] as const)
    expect(await schedule([entry('sub-1', 60), second])).toMatchObject(refused(message));
  expect(await orders()).toEqual([]);
  await schedule([entry('sub-1', 60)]);
  expect(await schedule([entry('sub-2', 60), entry('sub-1', 90)])).toMatchObject(refused('sub-1'));
  expect(await orders()).toEqual(['sub-1']);
});

test('pays with the key, not a second earlier, and is cancelled once the payment was refunded', async () => {
  await schedule([entry('sub-1', 60)]);
  await service.advance(59);
  expect((await one('sub-1')).schedule_status).toBe('scheduled');
  await service.advance(1);
  const { svc_uid, ...executed } = await one('sub-1');
  const paid = { schedule_status: 'executed', payment_status: 'paid', executed_at: NOW + 60 };
  expect(executed).toMatchObject(paid);
  expect((await service.get(`/payments/${svc_uid}`)).body.response).toMatchObject({
    merchant_uid: 'sub-1',
    amount: 700,
    started_at: NOW + 60,
    paid_at: NOW + 60,
    channel: 'api',
    customer_uid: 'card-1',
    customer_uid_usage: 'payment.scheduled',
  });
  await service.post('/payments/cancel', { merchant_uid: 'sub-1' });
  expect(await one('sub-1')).toMatchObject({ schedule_status: 'executed', payment_status: 'cancelled' });
});

test('fails by the test card, or where the key was deleted meanwhile', async () => {
  await service.issueKey('card-2', { card_number: CARD_THAT_FAILS });
  await schedule([entry('by-card', 60)], { customer_uid: 'card-2' });
  await schedule([entry('by-deletion', 60)]);
  await service.remove('/subscribe/customers/card-1');
  await service.advance(60);
  const failed = { payment_status: 'failed', fail_reason: expect.any(String) };
  for (const merchantUid of ['by-card', 'by-deletion'])
    expect(await one(merchantUid)).toMatchObject({ ...failed, schedule_status: 'executed' });
});

test('revokes the named orders, or all of the key, and what is revoked is not executed', async () => {
  await schedule([entry('sub-1', 60), entry('sub-2', 70), entry('sub-3', 80)]);
  const revoked = { schedule_status: 'revoked', revoked_at: NOW, payment_status: null };
  const named = await revoke({ merchant_uid: ['sub-2'] });
  expect(named.body.response).toMatchObject([{ merchant_uid: 'sub-2', ...revoked }]);
  // Clients that keep a list send it empty for "all".
  const all = await revoke({ merchant_uid: [] });
  expect(all.body.response.map((each: any) => each.merchant_uid)).toEqual(['sub-1', 'sub-3']);
  expect(await revoke()).toMatchObject(refused('취소할 예약결제 기록이 존재하지 않습니다.'));
  // The orders are free to be planned again.
  expect((await schedule([entry('sub-3', 200)])).body.code).toBe(0);
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
  const neither = await revoke({ customer_uid: undefined });
  expect(neither).toMatchObject(refused('customer_uid, merchant_uid: one is required'));
  expect(await orders('&schedule_status=scheduled')).toEqual(['sub-1']);
});

test('schedules of a period are an array, the newest time first, or the oldest first by `scheduled`', async () => {
  await schedule(entries(22));
  const all = entries(22).map(({ merchant_uid }) => merchant_uid);
  expect(await orders()).toEqual(all.toReversed().slice(0, 20));
  expect(await orders('&sorting=scheduled&limit=1000')).toEqual(all);
  expect(await orders('&limit=3&page=8')).toEqual(['sub-0']);
  expect(await orders('&page=9')).toEqual([]);
  await service.advance(60);
  await revoke({ merchant_uid: 'sub-1' });
  expect(await orders('&schedule_status=executed')).toEqual(['sub-0']);
  expect(await orders('&schedule_status=revoked')).toEqual(['sub-1']);
  expect(await orders('&schedule_status=scheduled&limit=30')).toHaveLength(20);
  const period = `schedule_from=${NOW + 61}&schedule_to=${NOW + 63}`;
  expect(await ordersAt(`/subscribe/payments/schedule?${period}`)).toEqual(['sub-2', 'sub-1']);
});

const OF_KEY = '/subscribe/customers/card-1/schedules';

describe.each([OF_KEY, '/subscribe/payments/schedule/customers/card-1'])(
  'schedules of a key (§4.9) at %s',
  (path) => {
    const period = `from=${NOW}&to=${NOW + 9999}`;
    const ofKey = (query: string) => ordersAt(`${path}?${query}`);

    test('are an array of those of the key, the newest time first, 20 on a page', async () => {
      await schedule(entries(22));
      await schedule([entry('other', 60)], { customer_uid: 'card-2', ...CARD });
      const { body } = await service.get(`${path}?${period}&page=2`);
      const response = [await one('sub-1'), await one('sub-0')];
      expect(body).toEqual({ code: 0, message: null, response });
      expect((await ofKey(period))[0]).toBe('sub-21');
      expect(await ofKey(period)).toHaveLength(20);
      expect(await ofKey(`${period}&page=3`)).toEqual([]);
      // `from` belongs to the period, `to` does not.
      expect(await ofKey(`from=${NOW + 61}&to=${NOW + 63}`)).toEqual(['sub-2', 'sub-1']);
      await service.settings({ billing_key_schedules_shape: 'paged' });
      const paged = (await service.get(`${path}?${period}&page=2`)).body.response;
      expect(paged).toEqual({ total: 22, previous: 1, next: 0, list: response });
    });

    test('are filtered by status, stay when the key is deleted, and are none for an unknown key', async () => {
      await schedule(entries(2));
      await service.advance(60);
      await service.remove('/subscribe/customers/card-1');
      expect(await ofKey(`${period}&schedule-status=executed`)).toEqual(['sub-0']);
      expect(await ofKey(period)).toEqual(['sub-1', 'sub-0']);
      const unknown = await service.get(`${path.replace('card-1', 'nobody')}?${period}`);
      expect([unknown.status, unknown.body.response]).toEqual([200, []]);
    });
  },
);

const BY_PERIOD = '/subscribe/payments/schedule?schedule_from=1&schedule_to=2';
test.each([
  ['/subscribe/payments/schedule?schedule_to=1', 'schedule_from'],
  ['/subscribe/payments/schedule?schedule_from=1', 'schedule_to'],
  ['/subscribe/payments/schedule?schedule_from=2&schedule_to=1', 'schedule_from'],
  [`${BY_PERIOD}&schedule_status=done`, 'schedule_status'],
  [`${BY_PERIOD}&limit=1001`, 'limit'],
  [`${BY_PERIOD}&sorting=amount`, 'sorting'],
  [OF_KEY, 'from'],
  [`${OF_KEY}?from=1`, 'to'],
  [`${OF_KEY}?from=1&to=2&page=0`, 'page'],
  [`${OF_KEY}?from=1&to=2&schedule-status=done`, 'schedule-status'],
])('answers 400 for %s and names %s', async (query, field) => {
  const answer = await service.get(query);
  expect([answer.status, answer.body.message.split(':')[0]]).toEqual([400, field]);
});
