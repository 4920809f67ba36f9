// The newer generation issues a token of its own and shows a payment in its own words (§5.7, §9).

import { useSandbox } from '../../support/running-sandbox';

const service = useSandbox();
let token: string;
beforeEach(async () => {
  token = (await signIn({ api_key: 'sandbox_api_key' })).body.access_token;
});

const signIn = (body: object) => service.call('POST', '/v2/signin/api-key', body);
const get = (path: string, authorization = `Bearer ${token}`) =>
  service.call('GET', path, undefined, { authorization });
const payment = async () => (await get('/v2/payments/order-1')).body.payment;

test('issues a token for the api_key, at the top of the answer', async () => {
  const { status, body } = await signIn({ api_key: 'sandbox_api_key' });
  expect([status, body]).toEqual([200, { access_token: token, refresh_token: expect.any(String) }]);
  expect((await signIn({ api_key: 'wrong' })).status).toBe(401);
  const missing = { status: 400, body: { message: 'api_key: is required' } };
  expect(await signIn({})).toMatchObject(missing);
});

test('takes its own token only, bearer or bare, for 30 minutes', async () => {
  await service.pay();
  expect((await get('/v2/payments/order-1', token)).status).toBe(200);
  expect((await get('/v2/payments/order-1', `Bearer ${await service.signIn()}`)).status).toBe(401);
  expect((await get('/payments/status/all')).status).toBe(401);
  await service.advance(1800);
  expect((await get('/v2/payments/order-1')).status).toBe(401);
});

test('shows a payment by its order, with one transaction as the notification names it', async () => {
  const { svc_uid } = await service.pay();
  await service.control('POST', `/payments/${svc_uid}/cancel`, { amount: 400 });
  const amount = { total: 1000, paid: 600, cancelled: 400 };
  const transaction = { id: svc_uid, is_primary: true, status: 'cancelled', amount, currency: 'KRW' };
  expect(await payment()).toEqual({ id: 'order-1', transactions: [expect.objectContaining(transaction)] });
  expect((await get('/v2/payments/nothing')).status).toBe(404);
});

test('names the channel, LIVE or TEST, while it is set to', async () => {
  await service.pay();
  expect(await payment()).not.toHaveProperty('transactions.0.channel');
  await service.settings({ newer_shows_channel: true, test_channel: true });
  await service.pay();
  const transactions = [{ channel: { type: 'TEST' } }, { channel: { type: 'LIVE' } }];
  expect(await payment()).toMatchObject({ transactions });
});

test('marks the attempt that counts as primary', async () => {
  for (const outcome of ['failed', 'paid', 'failed']) await service.pay({ outcome });
  const { transactions } = await payment();
  expect(transactions.map((each: any) => [each.status, each.is_primary])).toEqual([
    ['failed', false],
    ['paid', true],
    ['failed', false],
  ]);
});
