// Counts and leaky buckets in the database (limit-store.ts), and what card attempts count in them.

import { countKeys } from '../../src/merchant/core/billing-keys/billing-key-store';
import {
  bucketsOf,
  changesOf,
  countTry,
  findMeasures,
  watchDeclines,
} from '../../src/merchant/core/card-testing/watch-declines';
import { CARD_LIMITS } from '../../src/merchant/platform/card-limits';
import type { Context } from '../../src/merchant/platform/context';
import {
  addTo,
  countAttemptIn,
  deleteExpiredLimits,
  fillBuckets,
  putInto,
  readBuckets,
} from '../../src/merchant/platform/limit-store';
import { useRunningContext } from '../support/use-world';

const running = useRunningContext();
/** With the limits of production. */
const limited = (): Context => ({
  ...running.context,
  config: { ...running.context.config, cardLimits: CARD_LIMITS },
  state: new Map(),
});

const THREE = { attempts: 3, seconds: 60 };
let names = 0;
const newName = () => `limit-${(names += 1)}`;
const count = (name: string, limit = THREE) => countAttemptIn(running.context, name, limit, 'kim');
const countTimes = async (name: string, times: number) => {
  const answers: (number | null)[] = [];
  while (answers.length < times) answers.push(await count(name));
  return answers;
};

test('as many attempts as the limit are allowed, further ones wait for the end of the window, and then all are allowed again', async () => {
  const name = newName();
  expect(await countTimes(name, 5)).toEqual([null, null, null, 60, 60]);
  // A window is not extended by attempts in it.
  running.clock.advance(59);
  expect(await count(name)).toBe(1);
  running.clock.advance(1);
  expect(await countTimes(name, 4)).toEqual([null, null, null, 60]);
});

test('attempts of others and of other limits are counted apart', async () => {
  const name = newName();
  await countTimes(name, 4);
  expect(await countAttemptIn(running.context, name, THREE, 'lee')).toBeNull();
  expect(await count(newName())).toBeNull();
});

test('attempts at the same time do not exceed the limit', async () => {
  const name = newName();
  const answers = await Promise.all(Array.from({ length: 12 }, () => count(name)));
  expect(answers.filter((answer) => answer === null)).toHaveLength(3);
});

test('an attempt that is taken back makes room for another one', async () => {
  const name = newName();
  await countTimes(name, 3);
  await addTo(running.context, name, THREE, 'kim', -1);
  expect(await countTimes(name, 2)).toEqual([null, 60]);
});

test('only counts whose window is over are deleted', async () => {
  const [over, open] = [newName(), newName()];
  await count(over);
  running.clock.advance(1);
  await count(open);
  running.clock.advance(59);
  await deleteExpiredLimits(running.context);
  const kept = await running.rows.query<{ key: string }>('select key from card_limits where key = any($1)', [
    [`${over}:kim`, `${open}:kim`],
  ]);
  expect(kept).toEqual([{ key: `${open}:kim` }]);
});

const emptyAt = async (key: string) => (await readBuckets(running.context, [key])).get(key);
const fill = (key: string, ms: number) => fillBuckets(running.context, [{ key, ms }]);

test('a bucket that is empty for long gives no credit', async () => {
  const key = newName();
  await fill(key, 1000);
  running.clock.advance(3600);
  const filled = await fill(key, 5000);
  expect(filled.get(key)).toBe(running.clock.nowMs() + 5000);
  // What is still in it stays.
  running.clock.advance(2);
  await fill(key, 5000);
  expect(await emptyAt(key)).toBe(running.clock.nowMs() + 8000);
  // What is taken back beyond its content is no credit later.
  await fill(key, -60_000);
  await fill(key, 1000);
  running.clock.advance(60);
  await fill(key, 1000);
  expect(await emptyAt(key)).toBe(running.clock.nowMs() + 1000);
});

test('of several buckets none is filled if one is full', async () => {
  const [full, other] = [newName(), newName()].map((key) => ({ key, limit: { attempts: 2, seconds: 60 } }));
  if (!full || !other) throw new Error('two buckets');
  const put = (...buckets: (typeof full)[]) => putInto(running.context, buckets);
  expect([await put(full), await put(full), await put(full)]).toEqual([null, null, full]);
  expect(await put(other, full)).toEqual(full);
  expect(await emptyAt(other.key)).toBeUndefined();
  running.clock.advance(30);
  expect(await put(other, full)).toBeNull();
});

test('buckets that are filled at the same time do not overflow, and refused tries leave nothing in them', async () => {
  const bucket = { key: newName(), limit: { attempts: 3, seconds: 60 } };
  const results = await Promise.all(Array.from({ length: 10 }, () => putInto(running.context, [bucket])));
  expect(results.filter((full) => full === null)).toHaveLength(3);
  expect(await emptyAt(bucket.key)).toBe(running.clock.nowMs() + 60_000);
});

test('a try that the measures refuse is not counted', async () => {
  const context = limited();
  const address = '203.0.113.1';
  const tries = async () => (await countTry(context, address, { asksChallenge: false })) === null;
  const counted = async () => {
    const keys = bucketsOf(context, address).map(({ key }) => key);
    return [...(await readBuckets(context, keys))].sort();
  };
  let allowed = 0;
  while (await tries()) allowed += 1;
  expect(allowed).toBeGreaterThan(3);
  const before = await counted();
  expect([await tries(), await tries()]).toEqual([false, false]);
  expect(await counted()).toEqual(before);
  expect((await findMeasures(context, address)).network).not.toBeNull();
});

test.each([
  ['registered', -2],
  ['no_result', -1],
] as const)('a card that ended as %s changes each bucket by %i cards', async (result, change) => {
  const context = limited();
  const address = result === 'registered' ? '198.51.100.1' : '192.0.2.1';
  const buckets = bucketsOf(context, address);
  const contents = async () =>
    readBuckets(
      context,
      buckets.map(({ key }) => key),
    );
  // Full enough to take something back.
  await fillBuckets(context, changesOf(buckets, 5));
  const before = await contents();
  await watchDeclines(context, address, result);
  const after = await contents();
  for (const { key, ms } of changesOf(buckets, change))
    expect([key, (after.get(key) ?? 0) - (before.get(key) ?? 0)]).toEqual([key, ms]);
});

test('cards that were registered today count also once they are removed, and declined ones do not', async () => {
  const hoursAgo = (hours: number) => new Date(running.clock.nowMs() - hours * 3_600_000);
  const keys: [uid: string, memberId: string, status: string, hours: number][] = [
    ['kept', 'kim', 'active', 30],
    ['yesterday', 'kim', 'removed', 25],
    ['removed', 'kim', 'removed', 3],
    ['removing', 'kim', 'removing', 2],
    ['declined', 'kim', 'failed', 1],
    ['today', 'kim', 'active', 0.5],
    ['of-lee', 'lee', 'active', 1],
  ];
  for (const [uid, memberId, status, hours] of keys)
    await running.rows.query(
      `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
       values ($1, $2, $3::billing_key_status, $4, now())`,
      [uid, memberId, status, hoursAgo(hours)],
    );
  expect(await countKeys(running.context, 'kim', { from: hoursAgo(24), to: hoursAgo(-1) })).toEqual({
    held: 3,
    registeredAt: [hoursAgo(3), hoursAgo(2), hoursAgo(0.5)],
  });
});
