// All calls share one token, which one call at a time renews in its last minute (§5.4, §5.5). For every sequence of
// events: test/properties/access-token.test.ts.

import {
  ServiceError,
  type ServiceErrorKind,
} from '../../../src/merchant/payment-service/records/service-error';
import {
  createAccessToken,
  type IssuedToken,
} from '../../../src/merchant/payment-service/transport/access-token';
import { createManualClock } from '../../support/clock';
import { factsOf } from '../../support/service-client';

const MINUTES = 60;
const CALL = { method: 'POST', path: '/users/getToken' };

type Answer =
  | Partial<IssuedToken>
  | ServiceErrorKind
  | Error
  | ((clock: ReturnType<typeof createManualClock>) => Partial<IssuedToken>);

/** A token endpoint with the given answers in order; the last one is repeated. */
function tokenEndpoint(...answers: (Answer | Promise<never>)[]) {
  const clock = createManualClock();
  const state = { calls: 0 };
  const issue = async (): Promise<IssuedToken> => {
    const laid = answers[Math.min(state.calls, answers.length - 1)] ?? {};
    state.calls += 1;
    const answer = await (typeof laid === 'function' ? laid(clock) : laid);
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'string') throw new ServiceError({ ...CALL, kind: answer, retryAfterSeconds: 90 });
    return { token: `t${state.calls}`, lifetimeMs: 30 * MINUTES * 1000, serverNow: 1_000, ...answer };
  };
  const accessToken = createAccessToken({ issue, clock, path: CALL.path });
  const get = () => accessToken.get(10_000);
  return { accessToken, clock, state, get };
}

/** Waits for a renewal in the background. */
const microtasksRan = () => new Promise(setImmediate);

test('E3: fifty calls at once ask for one token', async () => {
  const { get, state } = tokenEndpoint({});
  expect(new Set(await Promise.all(Array.from({ length: 50 }, get)))).toEqual(new Set(['t1']));
  expect(state.calls).toBe(1);
});

test.each([
  ['of half an hour from its last minute on', 30 * MINUTES, 29 * MINUTES],
  ['of a minute and a half from its half on', 90, 45],
])('a token %s is renewed exactly then', async (_name, lifetimeSeconds, renewedAfterSeconds) => {
  const { get, state, clock } = tokenEndpoint({ lifetimeMs: lifetimeSeconds * 1000 });
  await get();
  clock.advance(renewedAfterSeconds - 1);
  expect([await get(), state.calls]).toEqual(['t1', 1]);
  clock.advance(1);
  expect([await get(), state.calls]).toEqual(['t1', 2]);
});

test('E5: in its last minute it is renewed while calls still use it', async () => {
  const { get, state, clock } = tokenEndpoint({}, { token: 't1', lifetimeMs: 5.5 * MINUTES * 1000 });
  await get();
  clock.advance(29.5 * MINUTES);
  expect(await Promise.all([get(), get(), get()])).toEqual(['t1', 't1', 't1']);
  expect(state.calls).toBe(2);
  clock.advance(4 * MINUTES);
  expect([await get(), state.calls]).toEqual(['t1', 2]);
});

test('a failed renewal has no effect while the token is valid, and is retried after ten seconds', async () => {
  const { get, state, clock } = tokenEndpoint({}, 'server_error');
  await get();
  const calls: number[] = [];
  for (const seconds of [29 * MINUTES, 9, 1]) {
    clock.advance(seconds);
    expect(await get()).toBe('t1');
    calls.push(state.calls);
    await microtasksRan();
  }
  expect(calls).toEqual([2, 2, 3]);
  clock.advance(1 * MINUTES);
  expect(await factsOf(get())).toMatchObject({ kind: 'unreachable' });
});

test('E6: if the expiry does not change, renewals are ten seconds apart and the token is used until it expires', async () => {
  const askedAtMs: number[] = [];
  const { get, clock } = tokenEndpoint((now) => {
    askedAtMs.push(now.nowMs());
    const leftMs = (askedAtMs[0] as number) + 60_000 - now.nowMs();
    return leftMs > 0 ? { token: 'same', lifetimeMs: leftMs } : { token: 'next' };
  });
  for (let second = 0; second < 60; second += 1) {
    expect(await get()).toBe('same');
    clock.advance(1);
  }
  const gaps = askedAtMs.slice(1).map((atMs, index) => atMs - (askedAtMs[index] ?? 0));
  expect(gaps.length).toBeGreaterThanOrEqual(3);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10_000);
  expect(await get()).toBe('next');
});

test.each([-12, 12])(
  'E7: a jump of the host’s clock by %d hours does not affect the token',
  async (hours) => {
    const { get, state, clock } = tokenEndpoint({});
    await get();
    clock.now = () => new Date(Date.now() + hours * 3_600_000);
    expect([await get(), state.calls]).toEqual(['t1', 1]);
  },
);

test('E1: after a 401 one new token serves all calls; a 401 of an older token drops nothing', async () => {
  const { get, state, accessToken } = tokenEndpoint({});
  accessToken.drop('t1');
  await get();
  accessToken.drop('t1');
  accessToken.drop('t1');
  expect(await Promise.all([get(), get()])).toEqual(['t2', 't2']);
  accessToken.drop('t1');
  expect([await get(), state.calls]).toEqual(['t2', 2]);
});

test.each<[seen: ServiceErrorKind, kinds: ServiceErrorKind[]]>([
  ['unauthorized', ['refused', 'unauthorized', 'not_found', 'bad_answer']],
  ['unreachable', ['server_error', 'no_answer', 'unreachable']],
  ['rate_limited', ['rate_limited']],
])('a call after a token call that ends as %j is not made and ends as %s', async (seen, kinds) => {
  for (const kind of kinds) {
    const neverMade = { kind: seen, detail: `no access token: ${kind}`, mayHaveHappened: false };
    expect(await factsOf(tokenEndpoint(kind).get())).toMatchObject(neverMade);
  }
});

test('the error of the token call is kept, and a foreign error stays one', async () => {
  const said = new ServiceError({ ...CALL, kind: 'refused', detail: 'code 1' });
  expect((await factsOf(tokenEndpoint(said).get())).detail).toBe('no access token: code 1');
  const bug = new TypeError('x is undefined');
  await expect(tokenEndpoint(bug).get()).rejects.toBe(bug);
});

test.each<[ServiceErrorKind, number]>([
  ['refused', 30],
  ['bad_answer', 30],
  ['rate_limited', 90],
])('E10, E11, E21: after %s no token call is made for %d seconds', async (kind, seconds) => {
  const { get, state, clock } = tokenEndpoint(kind, {});
  await factsOf(get());
  clock.advance(seconds - 1);
  await factsOf(get());
  expect(state.calls).toBe(1);
  clock.advance(1);
  expect([await get(), state.calls]).toEqual(['t2', 2]);
});

test('after an outage the next call makes a token call', async () => {
  const { get, state } = tokenEndpoint('server_error', {});
  await factsOf(get());
  expect([await get(), state.calls]).toEqual(['t2', 2]);
});

test('E14: a call waits for the shared token call at most until its own time limit', async () => {
  const { accessToken } = tokenEndpoint(new Promise<never>(() => undefined));
  const detail = 'no access token: deadline passed';
  const tooLate = { ...CALL, kind: 'unreachable', detail, mayHaveHappened: false };
  for (const timeoutMs of [20, 1]) expect(await factsOf(accessToken.get(timeoutMs))).toEqual(tooLate);
});

test('a wait for a token leaves no timer', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  const before = timers();
  await tokenEndpoint({}).accessToken.get(60_000);
  expect(timers()).toBe(before);
});

test('the service’s time is requested each time and corrected for the delay; without an answer the host’s is used', async () => {
  const { accessToken } = tokenEndpoint({}, (clock) => {
    clock.advance(3);
    return { serverNow: 5_000 };
  });
  expect(await accessToken.getServerTime()).toEqual(new Date(1_000_000));
  expect(await accessToken.getServerTime()).toEqual(new Date(5_003_000));
  const without = tokenEndpoint({ serverNow: null });
  expect(await without.accessToken.getServerTime()).toEqual(without.clock.now());
});
