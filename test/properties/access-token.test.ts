// The token under every sequence of events: time passes, calls are made, the service answers or not, tokens are refused.

import fc from 'fast-check';
import {
  ServiceError,
  type ServiceErrorKind,
} from '../../src/merchant/payment-service/records/service-error';
import { createAccessToken } from '../../src/merchant/payment-service/transport/access-token';
import { createManualClock } from '../support/clock';
import { holds } from '../support/property';

type Step =
  | { kind: 'wait'; seconds: number }
  | { kind: 'get'; calls: number }
  | { kind: 'drop' }
  | { kind: 'host'; hours: number };
type Answer = { lifetimeSeconds: number; same: boolean } | ServiceErrorKind;

/** Lifetimes of tokens, and the limits of their last minute and their pause. */
const EDGES = [1, 10, 29, 30, 90, 270, 330, 1740, 1800];
const seconds = fc.oneof(fc.constantFrom(...EDGES), fc.constantFrom(...EDGES), fc.nat(120), fc.nat(2000));
const wait = fc.record({ kind: fc.constant('wait' as const), seconds });
const get = fc.record({ kind: fc.constant('get' as const), calls: fc.integer({ min: 1, max: 3 }) });
const drop = fc.record({ kind: fc.constant('drop' as const) });
const host = fc.record({ kind: fc.constant('host' as const), hours: fc.integer({ min: -20, max: 20 }) });
const step = fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
  { weight: 4, arbitrary: wait },
  { weight: 4, arbitrary: get },
  drop,
  host,
);
const good = fc.record({ lifetimeSeconds: fc.constantFrom(1, 30, 330, 1800), same: fc.boolean() });
const PAUSES: readonly ServiceErrorKind[] = ['unauthorized', 'refused', 'bad_answer'];
const bad = fc.constantFrom<ServiceErrorKind>(
  ...(['unreachable', 'no_answer', 'server_error', 'rate_limited'] as const),
  ...PAUSES,
);
const steps = fc.array(step, { maxLength: 25, size: 'max' });
const answers = fc.array(fc.oneof({ weight: 3, arbitrary: good }, bad), { minLength: 1, maxLength: 8 });
const RETRY_AFTER_SECONDS = 90;

type Call = { atMs: number; answer: Answer; token: string };
type Use = { token: string; atMs: number };

/** Runs the steps against a service with the given answers, and returns what it received. */
async function live(todo: Step[], laid: Answer[]) {
  const clock = createManualClock(1_000_000);
  const calls: Call[] = [];
  const uses: Use[] = [];
  const drops: { token: string; callsBefore: number; usesBefore: number }[] = [];
  const path = '/users/getToken';
  const issue = async () => {
    const answer = laid[calls.length % laid.length] as Answer;
    const before = calls.findLast((call) => typeof call.answer !== 'string')?.token;
    const token = typeof answer !== 'string' && answer.same && before ? before : `t${calls.length}`;
    calls.push({ atMs: clock.nowMs(), answer, token });
    await Promise.resolve();
    if (typeof answer === 'string')
      throw new ServiceError({ kind: answer, method: 'POST', path, retryAfterSeconds: RETRY_AFTER_SECONDS });
    return { token, lifetimeMs: answer.lifetimeSeconds * 1000, serverNow: null };
  };
  const accessToken = createAccessToken({ issue, clock, path });
  const use = async () => {
    const atMs = clock.nowMs();
    const token = await accessToken.get(60_000).catch(() => null);
    if (token !== null) uses.push({ atMs, token });
  };
  for (const each of todo) {
    if (each.kind === 'wait') clock.advance(each.seconds);
    if (each.kind === 'get') await Promise.all(Array.from({ length: each.calls }, use));
    if (each.kind === 'host') clock.now = () => new Date(each.hours * 3_600_000);
    const held = uses.at(-1)?.token;
    if (each.kind === 'drop' && held) {
      accessToken.drop(held);
      drops.push({ token: held, callsBefore: calls.length, usesBefore: uses.length });
    }
    // A renewal in the background ends before the time advances.
    await new Promise(setImmediate);
  }
  return { calls, uses, drops };
}

/** Holds whatever happens and whatever the service answers. */
function always(title: string, check: (seen: Awaited<ReturnType<typeof live>>) => void) {
  test(title, () =>
    holds(fc.asyncProperty(steps, answers, async (todo, laid) => check(await live(todo, laid)))),
  );
}

always(
  'no call gets a token after its end, whatever became of its renewal and of the host’s clock',
  ({ calls, uses }) => {
    for (const { token, atMs } of uses) {
      const ends = calls
        .filter((call) => call.token === token && call.atMs <= atMs)
        .map((call) =>
          typeof call.answer === 'string' ? 0 : call.atMs + call.answer.lifetimeSeconds * 1000,
        );
      // A token that was just issued is used at once, also with a short lifetime.
      expect(Math.max(...ends)).toBeGreaterThan(atMs);
    }
  },
);

always(
  'a token that was refused is not used again, unless the service has given it out again',
  ({ calls, uses, drops }) => {
    for (const { token, callsBefore, usesBefore } of drops) {
      const isUsedAgain = uses.slice(usesBefore).some((each) => each.token === token);
      if (isUsedAgain) expect(calls.slice(callsBefore).map((call) => call.token)).toContain(token);
    }
  },
);

always(
  'credentials that were refused are not tried for 30 seconds, and a pause that was asked for is kept',
  ({ calls }) => {
    for (const [index, { answer, atMs }] of calls.slice(0, -1).entries()) {
      const waitedMs = (calls[index + 1] as Call).atMs - atMs;
      if (answer === 'rate_limited') expect(waitedMs).toBeGreaterThanOrEqual(RETRY_AFTER_SECONDS * 1000);
      if (typeof answer === 'string' && PAUSES.includes(answer))
        expect(waitedMs).toBeGreaterThanOrEqual(30_000);
    }
  },
);
