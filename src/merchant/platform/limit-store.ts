// The limiter: leaky buckets in the table `card_limits`, shared by all processes of one database. Each try raises a
// bucket's level by one, and time lowers it continuously, so there is no window whose end is worth waiting for. A bucket
// is stored as the time at which it will be empty (GCRA), by `context.realClock`; then its row is of no use.

import { createHmac, hkdfSync } from 'node:crypto';
import type { Context } from './context';

/** A burst of `attempts`, which is refilled evenly over `seconds`. */
export type AttemptLimit = { attempts: number; seconds: number };

/** The key of a row, and how much fits in. */
export type Bucket = { key: string; limit: AttemptLimit };

/** A bucket without room, and when it will have room for one more. */
export type Full<Some extends Bucket> = Some & { retryAfterSeconds: number };

/** @param whose whose tries are counted; hashed, so that the table does not reveal it */
export function bucketOf(
  context: Pick<Context, 'config'>,
  name: string,
  limit: AttemptLimit,
  whose: string,
): Bucket {
  return { key: `${name}:${keyOf(context, name, whose)}`, limit };
}

/**
 * Counts one try in each of these buckets, or in none if one is full. Concurrent tries cannot exceed a limit.
 * @returns null if the try is counted; else the first full bucket, with the wait until all have room
 * @throws DatabaseError if it could not be counted: the try must not be made then
 */
export async function countTry<Some extends Bucket>(
  context: Context,
  buckets: readonly Some[],
): Promise<Full<Some> | null> {
  if (buckets.length === 0) return null;
  // Most refusals end here, without a write.
  const full = firstOf(await findFull(context, buckets));
  if (full) return full;
  const counted = await change(context, buckets, 1, { mayOverflow: false });
  if (counted.length === buckets.length) return null;
  // Another try has taken the last place at the same moment. The next look shows it.
  await addTo(context, counted, -1);
  return countTry(context, buckets);
}

/** Adds to the buckets, also above their limits, or takes from them with a negative count. @throws DatabaseError */
export async function addTo(context: Context, buckets: readonly Bucket[], count: number): Promise<void> {
  if (buckets.length > 0) await change(context, buckets, count, { mayOverflow: true });
}

/** Those without room for one more, in the order given. @throws DatabaseError */
export async function findFull<Some extends Bucket>(
  { database, realClock }: Context,
  buckets: readonly Some[],
): Promise<Full<Some>[]> {
  const rows = await database.cardLimit.findMany({ where: { key: { in: buckets.map(({ key }) => key) } } });
  return fullAmong(buckets, rows, realClock.now().getTime());
}

/** Empties the bucket. @throws DatabaseError */
export async function empty({ database }: Context, { key }: Bucket): Promise<void> {
  await database.cardLimit.deleteMany({ where: { key } });
}

/** Empties the buckets whose names begin with one of these. @throws DatabaseError */
export async function emptyAll({ database }: Context, names: readonly string[]): Promise<void> {
  await database.cardLimit.deleteMany({
    where: { OR: names.map((name) => ({ key: { startsWith: name } })) },
  });
}

/** Deletes the rows of empty buckets, and with them the hashes of card numbers. */
export async function deleteEmptyBuckets({ database, realClock }: Context): Promise<void> {
  await database.cardLimit.deleteMany({ where: { expire: { lte: realClock.now().getTime() } } });
}

/** By how many milliseconds one more try delays the time at which the bucket is empty. */
export function msPerAttempt({ attempts, seconds }: AttemptLimit): number {
  return Math.floor((seconds * 1000) / attempts);
}

/**
 * Returns null if there is room for one more, else the seconds until there is.
 * @param emptyAtMs when the bucket will be empty; if in the past, it is empty now
 */
export function secondsUntilRoom(limit: AttemptLimit, emptyAtMs: number, nowMs: number): number | null {
  const tooMuchMs = Math.max(emptyAtMs, nowMs) + msPerAttempt(limit) - nowMs - limit.seconds * 1000;
  return tooMuchMs > 0 ? Math.ceil(tooMuchMs / 1000) : null;
}

function fullAmong<Some extends Bucket>(
  buckets: readonly Some[],
  rows: readonly { key: string; expire: bigint | null }[],
  nowMs: number,
): Full<Some>[] {
  const emptyAt = new Map(rows.map(({ key, expire }) => [key, Number(expire)]));
  return buckets.flatMap((bucket) => {
    const retryAfterSeconds = secondsUntilRoom(bucket.limit, emptyAt.get(bucket.key) ?? 0, nowMs);
    return retryAfterSeconds === null ? [] : [{ ...bucket, retryAfterSeconds }];
  });
}

/** The first one, with the wait until all have room. */
function firstOf<Some extends Bucket>(full: readonly Full<Some>[]): Full<Some> | null {
  const [first] = full;
  const seconds = full.map(({ retryAfterSeconds }) => retryAfterSeconds);
  return first ? { ...first, retryAfterSeconds: Math.max(...seconds) } : null;
}

/**
 * One statement, which locks the rows in the order of their keys, so that two cannot deadlock. An empty bucket gives no
 * credit. Returns the buckets that have changed: without `mayOverflow`, those that had room.
 */
async function change<Some extends Bucket>(
  { database, realClock }: Context,
  buckets: readonly Some[],
  count: number,
  { mayOverflow }: { mayOverflow: boolean },
): Promise<Some[]> {
  const nowMs = realClock.now().getTime();
  const keys = buckets.map(({ key }) => key);
  const ms = buckets.map(({ limit }) => count * msPerAttempt(limit));
  const most = buckets.map(({ limit }) => (mayOverflow ? null : nowMs + limit.seconds * 1000));
  const changed = await database.$queryRaw<{ key: string }[]>`
    with change as (
      select * from unnest(${keys}::text[], ${ms}::bigint[], ${most}::bigint[]) as change (key, ms, most)
    )
    insert into card_limits as bucket (key, expire)
    select key, ${nowMs}::bigint + ms from change order by key
    on conflict (key) do update
      set expire = greatest(bucket.expire, ${nowMs}::bigint) + excluded.expire - ${nowMs}::bigint
      where (
        select most is null or greatest(bucket.expire, ${nowMs}::bigint) + ms <= most
        from change where change.key = bucket.key
      )
    returning key`;
  return buckets.filter(({ key }) => changed.some((row) => row.key === key));
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
