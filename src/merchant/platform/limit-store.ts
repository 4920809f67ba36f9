// Fixed-window counters and leaky buckets, both in the table `card_limits`, shared by all processes of one database.
// Time is `context.realClock`. A row is of no use after its `expire`.

import { createHmac, hkdfSync } from 'node:crypto';
import { msPerAttempt, secondsUntilRoom, type AttemptLimit } from './card-limits';
import type { Context } from './context';

/**
 * Counts one attempt in one statement, so that concurrent attempts cannot exceed the limit. A window begins with its
 * first attempt. Returns null if the attempt is allowed, else the seconds until the window ends.
 * @param name what is counted
 * @param key whose attempts; use `keyOf` for a value that must not be readable in the table
 * @throws DatabaseError if it could not be counted: the attempt must not be made then
 */
export async function countAttemptIn(
  context: Context,
  name: string,
  limit: AttemptLimit,
  key: string,
): Promise<number | null> {
  const { points, endMs } = await addTo(context, name, limit, key, 1);
  if (points <= limit.attempts) return null;
  return Math.max(1, Math.ceil((endMs - context.realClock.now().getTime()) / 1000));
}

/** Adds to a count, or subtracts with a negative number. Enforces no limit. @throws DatabaseError */
export async function addTo(
  { database, realClock }: Context,
  name: string,
  { seconds }: Pick<AttemptLimit, 'seconds'>,
  key: string,
  points: number,
): Promise<{ points: number; endMs: number }> {
  const nowMs = realClock.now().getTime();
  const [count] = await database.$queryRaw<[{ points: number; endMs: number }]>`
    insert into card_limits as kept (key, points, expire)
    values (${`${name}:${key}`}, ${points}::int, ${nowMs + seconds * 1000}::bigint)
    on conflict (key) do update set
      points = case when kept.expire > ${nowMs}::bigint then kept.points else 0 end + excluded.points,
      expire = case when kept.expire > ${nowMs}::bigint then kept.expire else excluded.expire end
    returning points, expire::float8 as "endMs"`;
  return count;
}

/** Resets the count. */
export async function forgetAttempts({ database }: Context, name: string, key: string): Promise<void> {
  await database.cardLimit.deleteMany({ where: { key: `${name}:${key}` } });
}

/** Resets all counts, for a person who tries the sandbox. Nothing in production calls it. @throws DatabaseError */
export async function clearLimits({ database }: Context): Promise<void> {
  await database.cardLimit.deleteMany({ where: { key: { not: '' } } });
}

/** Deletes the counts whose window is over, and with them the hashes of card numbers. */
export async function deleteExpiredLimits({ database, realClock }: Context): Promise<void> {
  await database.cardLimit.deleteMany({ where: { expire: { lte: realClock.now().getTime() } } });
}

/** By key: when the bucket is empty, in UNIX milliseconds. */
export type Buckets = ReadonlyMap<string, number>;

/** A missing bucket is empty. @throws DatabaseError */
export async function readBuckets({ database }: Context, keys: readonly string[]): Promise<Buckets> {
  const rows = await database.cardLimit.findMany({ where: { key: { in: [...keys] } } });
  return new Map(rows.map(({ key, expire }) => [key, Number(expire)]));
}

/**
 * Adds to each bucket, or removes from it with a negative time, in one statement. Rows are locked in the order of their
 * keys, so that two statements cannot deadlock.
 * @returns the buckets after the change
 * @throws DatabaseError
 */
export async function fillBuckets(
  { database, realClock }: Context,
  changes: readonly { key: string; ms: number }[],
): Promise<Buckets> {
  const nowMs = realClock.now().getTime();
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

/** A bucket, with the key of its row. */
export type Bucket = { key: string; limit: AttemptLimit };

/**
 * Adds one to each of these buckets. Concurrent calls cannot exceed the limit.
 * @returns null if all of them had room; else the first full one, and none has changed
 * @throws DatabaseError if it could not be counted
 */
export async function putInto<Full extends Bucket>(
  context: Context,
  buckets: readonly Full[],
): Promise<Full | null> {
  const keys = buckets.map(({ key }) => key);
  // Most refusals end here, without a write.
  const full = findFull(await readBuckets(context, keys));
  if (full) return full;
  const change = buckets.map(({ key, limit }) => ({ key, ms: msPerAttempt(limit) }));
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
    const nowMs = context.realClock.now().getTime();
    return (
      buckets.find(({ key, limit }) => secondsUntilRoom(limit, emptyAt.get(key) ?? 0, nowMs) !== null) ?? null
    );
  }
}

/**
 * A keyed hash, so that the table holds no member id, address or card number. Without a key, 10^16 guesses find a card
 * number, or 10^6 with the ten digits that are stored masked. The key is derived from FORM_SECRET, which is not in the
 * database. Remaining risk: a person with FORM_SECRET and the table of the same day can find the number of a card that
 * was tried. A new first value of FORM_SECRET resets all counts.
 */
export function keyOf({ config }: Pick<Context, 'config'>, by: string, whose: string): string {
  const key = Buffer.from(hkdfSync('sha256', config.formSecrets[0], '', 'card-limits', 32));
  return createHmac('sha256', key)
    .update(JSON.stringify([by, whose]))
    .digest('base64url');
}
