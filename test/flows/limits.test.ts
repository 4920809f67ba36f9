// The leaky buckets of limit-store.ts in the database.

import {
  addTo,
  bucketOf,
  countTry,
  deleteEmptyBuckets,
  empty,
  type Bucket,
} from '../../src/merchant/platform/limit-store';
import { useRunningContext } from '../support/use-world';

const running = useRunningContext();

const THREE_A_MINUTE = { attempts: 3, seconds: 60 };
let names = 0;
const newBucket = (limit = THREE_A_MINUTE) =>
  bucketOf(running.context, `limit-${(names += 1)}`, limit, 'kim');
/** Null, or the seconds to wait. */
const tryIn = async (...buckets: Bucket[]) =>
  (await countTry(running.context, buckets))?.retryAfterSeconds ?? null;
const tryTimes = async (bucket: Bucket, times: number) => {
  const answers: (number | null)[] = [];
  while (answers.length < times) answers.push(await tryIn(bucket));
  return answers;
};
const emptyAt = async ({ key }: Bucket) => {
  const [row] = await running.rows.query<{ expire: string }>(
    'select expire from card_limits where key = $1',
    [key],
  );
  return row && Number(row.expire);
};
const msUntilEmpty = async (bucket: Bucket) => Number(await emptyAt(bucket)) - running.clock.nowMs();

test('as many tries as the limit are allowed at once, and then one whenever there is room, with no window to wait for', async () => {
  const bucket = newBucket();
  expect(await tryTimes(bucket, 5)).toEqual([null, null, null, 20, 20]);
  running.clock.advance(19);
  expect(await tryIn(bucket)).toBe(1);
  running.clock.advance(1);
  expect(await tryTimes(bucket, 2)).toEqual([null, 20]);
  running.clock.advance(60);
  expect(await tryTimes(bucket, 4)).toEqual([null, null, null, 20]);
});

test('tries of others and of other limits are counted apart', async () => {
  const name = `limit-${(names += 1)}`;
  const of = (whose: string) => bucketOf(running.context, name, THREE_A_MINUTE, whose);
  await tryTimes(of('kim'), 4);
  expect([await tryIn(of('lee')), await tryIn(newBucket()), await tryIn(of('kim'))]).toEqual([
    null,
    null,
    20,
  ]);
});

test('tries at the same time do not exceed a limit, and refused ones leave nothing in any bucket', async () => {
  const [narrow, wide] = [newBucket(), newBucket({ attempts: 10, seconds: 100 })];
  const answers = await Promise.all(Array.from({ length: 12 }, () => tryIn(narrow, wide)));
  expect(answers.filter((answer) => answer === null)).toHaveLength(3);
  expect([await msUntilEmpty(narrow), await msUntilEmpty(wide)]).toEqual([60_000, 30_000]);
});

test('a try that loses the last place after it has looked is refused, and leaves nothing in any bucket', async () => {
  const [narrow, wide] = [newBucket(), newBucket({ attempts: 10, seconds: 100 })];
  await tryTimes(narrow, 3);
  // The first look is at a time at which there is room.
  const looks = [60_000];
  const now = () => new Date(running.clock.nowMs() + (looks.pop() ?? 0));
  const context = { ...running.context, realClock: { ...running.context.realClock, now } };
  expect(await countTry(context, [wide, narrow])).toEqual({ ...narrow, retryAfterSeconds: 20 });
  expect(looks).toEqual([]);
  expect([await msUntilEmpty(narrow), await msUntilEmpty(wide)]).toEqual([60_000, 0]);
});

test('of several buckets none is filled if one is full, and the wait is until all have room', async () => {
  const [full, fuller, other] = [newBucket(), newBucket({ attempts: 2, seconds: 60 }), newBucket()];
  await addTo(running.context, [full, fuller], 3);
  expect(await countTry(running.context, [other, full, fuller])).toEqual({ ...full, retryAfterSeconds: 60 });
  expect(await emptyAt(other)).toBeUndefined();
  running.clock.advance(60);
  expect(await tryIn(other, full, fuller)).toBeNull();
});

test('a try that is taken back makes room for another one, and an emptied bucket for all', async () => {
  const bucket = newBucket();
  await tryTimes(bucket, 3);
  await addTo(running.context, [bucket], -1);
  expect(await tryTimes(bucket, 2)).toEqual([null, 20]);
  await empty(running.context, bucket);
  expect(await tryTimes(bucket, 4)).toEqual([null, null, null, 20]);
});

test('only empty buckets are deleted', async () => {
  const [over, open] = [newBucket(), newBucket()];
  await tryIn(over);
  running.clock.advance(1);
  await tryIn(open);
  running.clock.advance(19);
  await deleteEmptyBuckets(running.context);
  expect([await emptyAt(over), await msUntilEmpty(open)]).toEqual([undefined, 1000]);
});

test('a bucket that is empty for long gives no credit', async () => {
  const bucket = newBucket();
  const add = (count: number) => addTo(running.context, [bucket], count);
  await add(1);
  running.clock.advance(3600);
  await add(1);
  expect(await msUntilEmpty(bucket)).toBe(20_000);
  // What is still in it stays.
  running.clock.advance(2);
  await add(1);
  expect(await msUntilEmpty(bucket)).toBe(38_000);
  // What is taken back beyond its content is no credit later.
  await add(-10);
  await add(1);
  expect(await msUntilEmpty(bucket)).toBe(20_000);
});
