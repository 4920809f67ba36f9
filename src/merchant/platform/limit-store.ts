// Counts in windows of time, and leaky buckets: both in the table `card_limits`, shared by all processes of one database. Time
// is `context.clock`; a row is of no use once its `expire` is over.

import { createHmac, hkdfSync } from 'node:crypto';
import { dropMs, secondsUntilRoom, type AttemptLimit } from './card-limits';
import type { Context } from './context';

/**
 * Counts one attempt, in one statement: of many at once no more pass than may. A window begins with its first attempt.
 * Returns null if it may be made, else the seconds until the window is over.
 * @param name what is counted
 * @param key whose attempts; `keyOf` makes one of what nobody may read in the table
 * @throws DatabaseError when it could not be counted: then it must not be made
 */
export async function countAttemptIn(
  context: Context,
  name: string,
  limit: AttemptLimit,
  key: string,
): Promise<number | null> {
  const { points, endMs } = await addTo(context, name, limit, key, 1);
  if (points <= limit.attempts) return null;
  return Math.max(1, Math.ceil((endMs - context.clock.now().getTime()) / 1000));
}

/** Adds to a count, or takes a negative number from it, and forbids nothing. @throws DatabaseError */
export async function addTo(
  { database, clock }: Context,
  name: string,
  { seconds }: Pick<AttemptLimit, 'seconds'>,
  key: string,
  points: number,
): Promise<{ points: number; endMs: number }> {
  const nowMs = clock.now().getTime();
  const [count] = await database.$queryRaw<[{ points: number; endMs: number }]>`
    insert into card_limits as kept (key, points, expire)
    values (${`${name}:${key}`}, ${points}::int, ${nowMs + seconds * 1000}::bigint)
    on conflict (key) do update set
      points = case when kept.expire > ${nowMs}::bigint then kept.points else 0 end + excluded.points,
      expire = case when kept.expire > ${nowMs}::bigint then kept.expire else excluded.expire end
    returning points, expire::float8 as "endMs"`;
  return count;
}

/** The count begins anew. */
export async function forgetAttempts({ database }: Context, name: string, key: string): Promise<void> {
  await database.cardLimit.deleteMany({ where: { key: `${name}:${key}` } });
}

/** By key: when the bucket is empty, in UNIX milliseconds. */
export type Buckets = ReadonlyMap<string, number>;

/** Those that are not there are empty. @throws DatabaseError */
export async function readBuckets({ database }: Context, keys: readonly string[]): Promise<Buckets> {
  const rows = await database.cardLimit.findMany({ where: { key: { in: [...keys] } } });
  return new Map(rows.map(({ key, expire }) => [key, Number(expire)]));
}

/**
 * Puts into each bucket, or takes out of it what a negative time says, in one statement. In the order of their keys, so that
 * two statements do not wait for each other's rows.
 * @returns the buckets as they are then
 * @throws DatabaseError
 */
export async function fillBuckets(
  { database, clock }: Context,
  changes: readonly { key: string; ms: number }[],
): Promise<Buckets> {
  const nowMs = clock.now().getTime();
  const rows = await database.$queryRaw<{ key: string; emptyAtMs: number }[]>`
    insert into card_limits as bucket (key, expire)
    select key, ${nowMs}::bigint + ms
    from unnest(${changes.map(({ key }) => key)}::text[], ${changes.map(({ ms }) => ms)}::bigint[]) as change(key, ms)
    order by key
    on conflict (key) do update
      set expire = greatest(bucket.expire, ${nowMs}::bigint) + excluded.expire - ${nowMs}::bigint
    returning key, expire::float8 as "emptyAtMs"`;
  return new Map(rows.map(({ key, emptyAtMs }) => [key, emptyAtMs]));
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

/**
 * A keyed hash, so that the table holds no member id, no address and no card number. Without a key a number would be found
 * by trying all 10^16, or, with the six and the four digits that are stored masked, 10^6. The key is made from FORM_SECRET,
 * which is not in the database. What remains: whoever has FORM_SECRET and reads the table within the day can find the number
 * of a card that was tried. A new first value of FORM_SECRET begins all counts anew.
 */
export function keyOf({ config }: Pick<Context, 'config'>, by: string, whose: string): string {
  const key = Buffer.from(hkdfSync('sha256', config.formSecrets[0], '', 'card-limits', 32));
  return createHmac('sha256', key)
    .update(JSON.stringify([by, whose]))
    .digest('base64url');
}
