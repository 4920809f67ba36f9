// The access token expires, is refused or cannot be had (chapter E of docs/faults.md).

import { CARD_INPUT } from '../support/cards';
import { FETCH_PAYMENT, TOKEN } from '../support/endpoints';
import { paySilently } from '../support/orders';
import { factsOf, useFreshClient } from '../support/start-client';

const client = useFreshClient();
let svcUid: string;
beforeEach(async () => {
  svcUid = (await paySilently(client, 'o1')).svc_uid;
});

const fetchPayment = () => client.service.findPayment(svcUid);
const requests = (endpoint: string) => client.sandbox.requests(endpoint);
const failed = () => client.calls.filter(({ error }) => error);
const refuseFetches = (times: number) =>
  client.sandbox.fault({ endpoint: FETCH_PAYMENT, times, kind: 'unauthorized' });

test('E3: fifty calls on a cold start make one token call', async () => {
  const payments = await Promise.all(Array.from({ length: 50 }, fetchPayment));
  expect(payments.every((payment) => payment?.svcUid === svcUid)).toBe(true);
  expect(await requests(TOKEN)).toBe(1);
});

test('E4: ten processes at once are given the same token, and all of them work', async () => {
  await Promise.all(Array.from({ length: 10 }, () => client.another().findPayment(svcUid)));
  expect(await requests(TOKEN)).toBeLessThanOrEqual(10);
  expect(failed()).toEqual([]);
});

test('E1: a token that expired at the service is renewed once, and the call retried once', async () => {
  await fetchPayment();
  await client.sandbox.advance(31 * 60);
  await Promise.all([fetchPayment(), fetchPayment(), fetchPayment()]);
  expect([await requests(TOKEN), await requests(FETCH_PAYMENT)]).toEqual([2, 1 + 3 + 3]);
});

test('E1: so is one that expired before a charge, which is then made once', async () => {
  await client.service.issueBillingKey('c1', CARD_INPUT);
  await client.sandbox.advance(31 * 60);
  const charge = { customerUid: 'c1', merchantUid: 'o2', amount: 5, name: 'Tea' };
  expect(await client.service.payAgain(charge)).toMatchObject({ status: 'paid' });
  expect(await client.service.findAllPaymentsByMerchantUid('o2')).toHaveLength(1);
});

test('E5: within its last minute the token is extended, and no call meets a 401', async () => {
  await fetchPayment();
  client.clock.advance(29.5 * 60);
  await Promise.all([fetchPayment(), client.service.getServerTime()]);
  client.clock.advance(4 * 60);
  await fetchPayment();
  expect(await requests(TOKEN)).toBe(2);
  expect(failed()).toEqual([]);
});

test('E6: an extended token, whose expiry moves no more, is used to its end: renewals are ten seconds apart, and no call meets a 401', async () => {
  await fetchPayment();
  // The service extends it once, by five minutes (§5.5).
  client.clock.advance(29.5 * 60);
  await Promise.all([fetchPayment(), client.service.getServerTime()]);
  client.clock.advance(4.5 * 60 - 1);
  const renewedAt: number[] = [];
  for (let second = 0; second < 61; second += 1) {
    client.clock.advance(1);
    if ((await client.sandbox.requestsDuring(TOKEN, fetchPayment)) > 0) renewedAt.push(second);
  }
  expect(failed()).toEqual([]);
  // At its end the next token is asked for, and before that the same one again and again.
  expect(renewedAt.pop()).toBe(60);
  const gaps = renewedAt.slice(1).map((at, index) => at - (renewedAt[index] ?? 0));
  expect(gaps.length).toBeGreaterThanOrEqual(2);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10);
});

test('E1: a 401 that passes is overcome, although the service gives out the same token again', async () => {
  await fetchPayment();
  await refuseFetches(1);
  expect(await fetchPayment()).toMatchObject({ svcUid });
  expect([await requests(FETCH_PAYMENT), await requests(TOKEN)]).toEqual([3, 2]);
});

test('E2: a 401 that stays ends after one renewal and two calls', async () => {
  await fetchPayment();
  await refuseFetches(9);
  expect(await factsOf(fetchPayment())).toMatchObject({ kind: 'unauthorized', mayHaveHappened: false });
  expect([await requests(FETCH_PAYMENT), await requests(TOKEN)]).toEqual([3, 2]);
});

test('E2: a 401 with a fresh token as well ends there', async () => {
  await fetchPayment();
  await client.sandbox.advance(31 * 60);
  await refuseFetches(9);
  expect(await factsOf(fetchPayment())).toMatchObject({ kind: 'unauthorized' });
  expect([await requests(FETCH_PAYMENT), await requests(TOKEN)]).toEqual([3, 2]);
});

test('E10: refused credentials are tried once in 30 seconds', async () => {
  const service = client.another({ secret: 'wrong' });
  const tryIt = () => factsOf(service.findPayment(svcUid));
  for (let count = 0; count < 5; count += 1) expect(await tryIt()).toMatchObject({ kind: 'unauthorized' });
  expect([await requests(TOKEN), await requests(FETCH_PAYMENT)]).toEqual([1, 0]);
  client.clock.advance(30);
  await tryIt();
  expect(await requests(TOKEN)).toBe(2);
});

test.each([
  ['missing', {}],
  ['empty', { access_token: '' }],
  ['with CR and LF', { access_token: 'a\r\nb' }],
])('E11: no call goes out with a token that is %s', async (_, response) => {
  const body = { code: 0, message: null, response: { now: 1, expired_at: 1_801, ...response } };
  await client.sandbox.fault({ endpoint: TOKEN, times: 1, kind: 'status', status: 200, body });
  expect(await factsOf(fetchPayment())).toMatchObject({ kind: 'unauthorized' });
  expect(await requests(FETCH_PAYMENT)).toBe(0);
});
