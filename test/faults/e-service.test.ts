// The service answers wrongly, late or not at all, or its access token expires, is refused or unavailable (chapter E of
// docs/13-faults.md). The client reports what is known, never repeats a call that may have been executed, and no error contains a
// card, a credential or the token (row J1).

import { inspect } from 'node:util';
import type { PaymentService } from '../../src/merchant/payment-service/payment-service';
import { ServiceError } from '../../src/merchant/payment-service/records/service-error';
import { getAccessToken } from '../support/calls';
import { CARD_INPUT } from '../support/cards';
import { eventually } from '../support/eventually';
import { paySilently } from '../support/orders';
import { FETCH_PAYMENT, ISSUE_KEY, TOKEN } from '../support/sandbox-controls';
import { CREDENTIALS, factsOf, useFreshClient } from '../support/service-client';
import { noteTimers, type NotedTimer } from '../support/timers';

/** Longer than a test may take, so that a deadline passes only if a test makes it pass, even on a slow machine. */
const LIMIT_MS = 599_999;

const client = useFreshClient();
let service: PaymentService;
let svcUid: string;
let token: string;
let timers: NotedTimer[];
beforeEach(async () => {
  svcUid = (await paySilently(client, 'o1')).svc_uid;
  token = await getAccessToken(client, CREDENTIALS);
  service = client.another({ timeoutMs: LIMIT_MS });
  timers = noteTimers();
});
afterEach(() => jest.restoreAllMocks());

const fetchPayment = () => service.findPayment(svcUid);
const requests = (endpoint: string) => client.sandbox.requests(endpoint);
/** Token calls other than the one above. */
const tokenCalls = async () => (await requests(TOKEN)) - 1;

/** The error of a call; null if it succeeds. */
const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

function expectNoCanary(error: unknown): void {
  expect(error).toBeInstanceOf(ServiceError);
  expect((error as ServiceError).cause).toBeUndefined();
  const seen = inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error) + String(error);
  const { cardNumber, expiry } = CARD_INPUT;
  const card = [cardNumber, cardNumber.replaceAll('-', ''), expiry];
  for (const canary of [token, ...Object.values(CREDENTIALS), ...card]) expect(seen).not.toContain(canary);
  expect(seen).not.toMatch(/AxiosError|Bearer/i);
}

const ECHO = { code: -1, message: `no: ${CARD_INPUT.cardNumber} ${Object.values(CREDENTIALS).join(' ')}` };

describe.each([
  ['E12: 500', { kind: 'status', status: 500 }, 'server_error', true],
  ['E14: hangs', { kind: 'delay', delay_ms: 60_000 }, 'no_answer', true],
  ['E15: drips', { kind: 'drip', delay_ms: 50 }, 'no_answer', true],
  ['answer lost', { kind: 'lost_response' }, 'no_answer', true],
  ['E16: HTML with 200', { kind: 'html' }, 'bad_answer', true],
  ['E16: broken JSON', { kind: 'garbage' }, 'bad_answer', true],
  ['E17: too large', { kind: 'garbage', bytes: 5_000_000 }, 'bad_answer', true],
  ['E18: redirect', { kind: 'redirect', status: 307 }, 'bad_answer', true],
  ['E20: code with 200', { kind: 'status', status: 200, body: ECHO }, 'refused', false],
  ['401', { kind: 'unauthorized', times: 2, body: ECHO }, 'unauthorized', false],
  ['E21: 429', { kind: 'status', status: 429, headers: { 'retry-after': '7' } }, 'rate_limited', false],
])('%s', (_, fault, kind, mayHaveHappened) => {
  const neverEnds = ['delay', 'drip'].includes(fault.kind);

  /** The error of a call that already has its token, so that its deadline covers only the call itself. */
  async function failureOf(endpoint: string, call: () => Promise<unknown>): Promise<unknown> {
    await fetchPayment();
    const before = await requests(endpoint);
    await client.sandbox.fault({ endpoint, ...fault });
    const failure = errorOf(call());
    if (neverEnds) {
      await eventually(async () => (await requests(endpoint)) > before);
      timers.findLast(({ ms }) => ms === LIMIT_MS)?.pass();
    }
    return failure;
  }

  test(`a fetch ends as ${kind}`, async () => {
    const error = await failureOf(FETCH_PAYMENT, fetchPayment);
    expect(error).toMatchObject({ facts: { kind, path: '/payments/{svc_uid}' } });
    expectNoCanary(error);
  });

  test('an issuance is sent once, and its error says whether it may have been executed', async () => {
    const error = await failureOf(ISSUE_KEY, () => service.issueBillingKey('c1', CARD_INPUT));
    expect(error).toMatchObject({ facts: { kind }, mayHaveHappened });
    expectNoCanary(error);
    // Except after a 401: that call was certainly not executed.
    expect(await requests(ISSUE_KEY)).toBe(kind === 'unauthorized' ? 2 : 1);
  });
});

const answer = (endpoint: string, response: unknown) =>
  client.sandbox.fault({ endpoint, kind: 'status', status: 200, body: { ...ECHO, code: 0, response } });

test.each([
  ['full of what was sent', { status: ECHO.message, amount: ECHO.message }],
  ['about another payment', { svc_uid: 'svc_other', merchant_uid: 'o1', status: 'paid', amount: 1 }],
])('E19: a response that is %s is a bad answer', async (_, response) => {
  await answer(FETCH_PAYMENT, response);
  const error = await errorOf(fetchPayment());
  expect(error).toMatchObject({ facts: { kind: 'bad_answer' } });
  expectNoCanary(error);
});

test('E14: the time that the token call takes counts towards the limit of the call', async () => {
  await client.sandbox.fault({ endpoint: TOKEN, kind: 'delay', delay_ms: 200 });
  const payment = fetchPayment();
  await eventually(async () => (await tokenCalls()) === 1);
  client.clock.advance(3);
  await payment;
  const limits = timers.map(({ ms }) => ms).filter((ms) => ms > LIMIT_MS - 60_000);
  // The wait for the token, the token call, and the fetch.
  expect(limits).toEqual([LIMIT_MS, LIMIT_MS, LIMIT_MS - 3_000]);
});

const NO_IDS = ['../users/getToken', '..', 'http://evil.example/x', '//evil.example/x'];
test.each(NO_IDS)('C1 to C4: the id %s is never sent', async (id) => {
  for (const call of [
    () => service.findPayment(id),
    () => service.findAllPaymentsByMerchantUid(id),
    () => service.cancelPayment({ svcUid: id }),
    () => service.unschedulePayments('c1', [id]),
  ])
    await expect(call()).rejects.toThrow('nothing was sent');
  expect(client.calls).toEqual([]);
});

test('unreachable, and what is never sent', async () => {
  const issue = () => service.issueBillingKey('c1', CARD_INPUT);
  expectNoCanary(await errorOf(service.issueBillingKey('../x', CARD_INPUT)));
  const refusal = { kind: 'status', status: 400, body: ECHO };
  await client.sandbox.fault({ endpoint: TOKEN, ...refusal });
  const unsent = await errorOf(issue());
  expect(unsent).toMatchObject({ facts: { path: '/users/getToken' }, mayHaveHappened: false });
  expectNoCanary(unsent);
  expect(await requests(ISSUE_KEY)).toBe(0);
  client.clock.advance(30);
  await client.sandbox.fault({ endpoint: 'POST /subscribe/payments/onetime', ...refusal });
  const charge = { card: CARD_INPUT, merchantUid: 'o9', amount: 5, customerUid: 'c9' };
  expectNoCanary(await errorOf(service.payOnetime(charge)));
  await client.close();
  expectNoCanary(await errorOf(issue()));
});

const failed = () => client.calls.filter(({ error }) => error);
const refuseFetches = (times: number) =>
  client.sandbox.fault({ endpoint: FETCH_PAYMENT, times, kind: 'unauthorized' });
const calls = async () => ({ tokens: await tokenCalls(), fetches: await requests(FETCH_PAYMENT) });

test('E3: fifty calls after a cold start cause one token call', async () => {
  const payments = await Promise.all(Array.from({ length: 50 }, fetchPayment));
  expect(payments.every((payment) => payment?.svcUid === svcUid)).toBe(true);
  expect(await tokenCalls()).toBe(1);
});

test('E4: ten processes get the same token at once, and all of them can use it', async () => {
  await Promise.all(
    Array.from({ length: 10 }, () => client.another({ timeoutMs: LIMIT_MS }).findPayment(svcUid)),
  );
  expect(await tokenCalls()).toBeLessThanOrEqual(10);
  expect(failed()).toEqual([]);
});

test('E1: a token that expired at the service is renewed once, and the call retried once', async () => {
  await fetchPayment();
  await client.sandbox.advance(31 * 60);
  await Promise.all([fetchPayment(), fetchPayment(), fetchPayment()]);
  expect(await calls()).toEqual({ tokens: 2, fetches: 1 + 3 + 3 });
});

test('E1: a call succeeds after one 401 although the service returns the same token again', async () => {
  await fetchPayment();
  await refuseFetches(1);
  expect(await fetchPayment()).toMatchObject({ svcUid });
  expect(await calls()).toEqual({ tokens: 2, fetches: 3 });
});

test('E2: a lasting 401 ends after one renewal and two calls', async () => {
  await fetchPayment();
  await refuseFetches(9);
  expect(await factsOf(fetchPayment())).toMatchObject({ kind: 'unauthorized', mayHaveHappened: false });
  expect(await calls()).toEqual({ tokens: 2, fetches: 3 });
});

test('E2: a second 401 with a new token is not retried', async () => {
  await fetchPayment();
  await client.sandbox.advance(31 * 60);
  await refuseFetches(9);
  expect(await factsOf(fetchPayment())).toMatchObject({ kind: 'unauthorized' });
  expect(await calls()).toEqual({ tokens: 2, fetches: 3 });
});

/** In the last minute a token is extended once, by five minutes (§5.5). */
async function extendToken(): Promise<void> {
  await fetchPayment();
  client.clock.advance(29.5 * 60);
  await Promise.all([fetchPayment(), service.getServerTime()]);
}

test('E5: a token is extended in its last minute, and no call gets a 401', async () => {
  await extendToken();
  client.clock.advance(4 * 60);
  await fetchPayment();
  expect(await tokenCalls()).toBe(2);
  expect(failed()).toEqual([]);
});

test('E6: an extended token is used until it expires, with renewals ten seconds apart and no 401', async () => {
  await extendToken();
  client.clock.advance(4.5 * 60);
  const renewedAt: number[] = [];
  let before = await requests(TOKEN);
  for (let second = 0; second <= 60; second += 1) {
    await fetchPayment();
    const sent = await requests(TOKEN);
    if (sent > before) renewedAt.push(second);
    before = sent;
    client.clock.advance(1);
  }
  expect(failed()).toEqual([]);
  // Before its end the same token is used; then the next one is requested.
  expect(renewedAt.at(-1)).toBe(60);
  const gaps = renewedAt.slice(1, -1).map((at, index) => at - (renewedAt[index] ?? 0));
  expect(gaps.length).toBeGreaterThanOrEqual(2);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10);
});

test('E10: refused credentials are tried once every 30 seconds', async () => {
  const other = client.another({ secret: 'wrong', timeoutMs: LIMIT_MS });
  for (const tokens of [1, 2]) {
    for (let count = 0; count < 5; count += 1)
      expect(await factsOf(other.findPayment(svcUid))).toMatchObject({ kind: 'unauthorized' });
    expect(await calls()).toEqual({ tokens, fetches: 0 });
    client.clock.advance(30);
  }
});

test.each([
  ['missing', {}],
  ['with CR and LF', { access_token: 'a\r\nb' }],
])('E11: no call is sent with a token that is %s', async (_, response) => {
  await answer(TOKEN, { now: 1, expired_at: 1_801, ...response });
  expect(await factsOf(fetchPayment())).toMatchObject({ kind: 'unauthorized' });
  expect(await requests(FETCH_PAYMENT)).toBe(0);
});
