// Leaky buckets in the table of the limits, shared by all processes of one database. A row holds in `expire` the moment
// at which its bucket is empty (`leaky-bucket.ts`), by `context.clock`; from then on it is of no use and is deleted.

import type { AttemptLimit } from './card-limits';
import type { Context } from './context';
import { dropMs, secondsUntilRoom } from './leaky-bucket';

/** By key: when the bucket is empty, in UNIX milliseconds. */
export type Buckets = ReadonlyMap<string, number>;

type BucketRow = { key: string; expire: string };

/** Those that are not there are empty. @throws DatabaseError */
export async function readBuckets({ database }: Context, keys: readonly string[]): Promise<Buckets> {
  return toBuckets(await database.$prepared<BucketRow>(READ_BUCKETS, [keys]));
}

/**
 * Puts into each bucket, or takes out of it what a negative time says, in one statement.
 * @returns the buckets as they are then
 * @throws DatabaseError
 */
export async function fillBuckets(
  { database, clock }: Context,
  changes: readonly { key: string; ms: number }[],
): Promise<Buckets> {
  const keys = changes.map(({ key }) => key);
  const times = changes.map(({ ms }) => ms);
  const rows = await database.$prepared<BucketRow>(FILL_BUCKETS, [keys, times, clock.now().getTime()]);
  return toBuckets(rows);
}

/** A bucket by the key of its row. */
export type Bucket = { key: string; limit: AttemptLimit };

/**
 * Puts one into each of these buckets. Of many at once no more pass than may.
 * @returns null if there was room in all of them; else the first that is full, and none of them has changed
 * @throws DatabaseError when it could not be counted
 */
export async function putInto<Full extends Bucket>(
  context: Context,
  buckets: readonly Full[],
): Promise<Full | null> {
  const keys = buckets.map(({ key }) => key);
  // Most that are refused are refused here, and write nothing.
  const full = findFull(await readBuckets(context, keys));
  if (full) return full;
  const change = buckets.map(({ key, limit }) => ({ key, ms: dropMs(limit) }));
  const filled = await fillBuckets(context, change);
  const before = new Map(change.map(({ key, ms }) => [key, (filled.get(key) ?? 0) - ms]));
  const fullMeanwhile = findFull(before);
  if (fullMeanwhile)
    await fillBuckets(
      context,
      change.map(({ key, ms }) => ({ key, ms: -ms })),
    );
  return fullMeanwhile;

  function findFull(emptyAt: Buckets): Full | null {
    const nowMs = context.clock.now().getTime();
    return (
      buckets.find(({ key, limit }) => secondsUntilRoom(limit, emptyAt.get(key) ?? 0, nowMs) !== null) ?? null
    );
  }
}

/** Returns true once in so many seconds, over all processes. @throws DatabaseError */
export async function isFirstIn(
  { database, clock }: Context,
  key: string,
  seconds: number,
): Promise<boolean> {
  const nowMs = clock.now().getTime();
  const rows = await database.$prepared<BucketRow>(FIRST_IN, [key, nowMs, nowMs + seconds * 1000]);
  return rows.length > 0;
}

/** The driver gives a bigint as text. */
function toBuckets(rows: readonly BucketRow[]): Buckets {
  return new Map(rows.map(({ key, expire }) => [key, Number(expire)]));
}

const READ_BUCKETS = {
  name: 'read-buckets',
  text: 'select key, expire from card_limits where key = any($1::text[])',
};

/** In the order of their keys, so that two statements do not wait for each other's rows. */
const FILL_BUCKETS = {
  name: 'fill-buckets',
  text: `
    insert into card_limits as bucket (key, expire)
    select key, $3::bigint + ms from unnest($1::text[], $2::bigint[]) as change(key, ms) order by key
    on conflict (key) do update set expire = greatest(bucket.expire, $3::bigint) + excluded.expire - $3::bigint
    returning key, expire`,
};

const FIRST_IN = {
  name: 'first-in',
  text: `
    insert into card_limits as mark (key, expire) values ($1, $3::bigint)
    on conflict (key) do update set expire = excluded.expire where mark.expire <= $2::bigint
    returning key, expire`,
};
