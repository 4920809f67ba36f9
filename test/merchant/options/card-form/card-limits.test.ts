// How many cards an attacker can test under the limits of declined cards, and how many it takes to close the form for all members.
// docs/06-runbook.md ("Somebody tests cards") has these figures. The attacker here tries as soon as the limits allow.

import { CARD_LIMITS } from '../../../../src/merchant/options/card-form/card-limits';
import {
  bucketsOf,
  toMeasures,
  type Measures,
} from '../../../../src/merchant/options/card-form/watch-declines';
import { msPerAttempt, secondsUntilRoom } from '../../../../src/merchant/platform/limit-store';
import { testConfig } from '../../../support/config';

const context = { config: testConfig({}, { cardLimits: CARD_LIMITS }) };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The buckets of `limit-store.ts`. */
function createBuckets() {
  const emptyAt = new Map<string, number>();
  const known = new Map<string, ReturnType<typeof bucketsOf>>();
  const of = (address: string) => {
    if (!known.has(address)) known.set(address, bucketsOf(context, address));
    return known.get(address)!;
  };
  return {
    measures(address: string, nowMs: number): Measures {
      const full = of(address).flatMap((bucket) => {
        const seconds = secondsUntilRoom(bucket.limit, emptyAt.get(bucket.key) ?? 0, nowMs);
        return seconds === null ? [] : [{ ...bucket, retryAfterSeconds: seconds }];
      });
      return toMeasures(full);
    },
    add(address: string, nowMs: number, count: number) {
      for (const { key, limit } of of(address))
        emptyAt.set(key, Math.max(emptyAt.get(key) ?? 0, nowMs) + count * msPerAttempt(limit));
    },
  };
}

const STEP_MS = 10 * MINUTE;

/** Cards tried on each of three days from these addresses, all declined, and how long the form was closed on each. */
function tryCards(addresses: readonly string[], mayGoOn: (measures: Measures) => boolean = () => true) {
  const buckets = createBuckets();
  return Array.from({ length: 3 }, (_, day) => {
    let tried = 0;
    let closedMinutes = 0;
    for (let nowMs = day * DAY; nowMs < (day + 1) * DAY; nowMs += STEP_MS) {
      for (const address of addresses) {
        let measures = buckets.measures(address, nowMs);
        while (!measures.network && !measures.everybody && mayGoOn(measures)) {
          buckets.add(address, nowMs, 1);
          tried += 1;
          measures = buckets.measures(address, nowMs);
        }
        // These apply to all addresses.
        if (measures.everybody || !mayGoOn(measures)) break;
      }
      if (buckets.measures(SOMEBODY_ELSE, nowMs + 1).everybody) closedMinutes += STEP_MS / MINUTE;
    }
    return { tried, closedMinutes };
  });
}

const SOMEBODY_ELSE = '192.0.2.1';
const addresses = (count: number, write: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at));
/** Each in its own network. */
const apart = (count: number) => addresses(count, (at) => `198.${18 + (at >> 8)}.${at & 255}.1`);
const ofOne24 = addresses(30, (at) => `198.51.100.${at}`);
/** Networks of 64 bits of one /48, as far apart as they can be. */
const ofOne48 = addresses(30, (at) => `2001:db8:1:${((at * 257) & 0xffff).toString(16)}::1`);

test.each([
  ['one address', 20, 0, apart(1)],
  ['all addresses of one /24', 60, 0, ofOne24],
  ['all networks of one /48', 60, 0, ofOne48],
  ['18 networks', 360, 180, apart(18)],
])(
  'from %s %d cards can be tried a day, and the form is closed for at most %d minutes',
  (_, cards, minutes, from) => {
    const [first, ...later] = tryCards(from);
    // The buckets are empty in the beginning.
    expect(first?.tried).toBeLessThanOrEqual(2 * cards);
    expect(first?.closedMinutes).toBeLessThanOrEqual(minutes);
    for (const day of later) expect(day).toEqual({ tried: cards, closedMinutes: 0 });
  },
);

test('from any number of networks a hundred cards an hour can be tried, and forty without the challenge', () => {
  const [first, second] = tryCards(apart(150));
  expect([first?.tried, second?.tried]).toEqual([expect.closeTo(2500, -2), expect.closeTo(2400, -1)]);
  const challenged = tryCards(apart(150), ({ asksChallenge }) => !asksChallenge);
  for (const [day, cards] of [1000, 960, 960].entries())
    expect(challenged[day]).toEqual({ tried: expect.closeTo(cards, -1.5), closedMinutes: 0 });
});

/** How many cards, some of them valid, can be tried until the network has to wait. */
function filledBy(isGood: (at: number) => boolean): number | null {
  const buckets = createBuckets();
  for (let at = 0; at < 1000; at += 1) {
    if (buckets.measures(SOMEBODY_ELSE, at * 1000).network) return at;
    buckets.add(SOMEBODY_ELSE, at * 1000, isGood(at) ? -1 : 1);
  }
  return null;
}

test('K2: a network with more registered than declined cards does not wait', () => {
  expect(filledBy((at) => at % 2 === 0)).toBeNull();
  // One valid card in three does not prevent this.
  expect(filledBy((at) => at % 3 === 2)).toBeLessThan(25);
});

test('K2: twenty addresses of one IPv4 /24 count together', () => {
  const buckets = createBuckets();
  for (const address of ofOne24.slice(0, 19)) buckets.add(address, 0, 1);
  expect(buckets.measures('198.51.100.99', 0).network).toBeNull();
  buckets.add(String(ofOne24[19]), 0, 1);
  expect(buckets.measures('198.51.100.99', 0).network).not.toBeNull();
  expect(buckets.measures('198.51.101.99', 0).network).toBeNull();
});
