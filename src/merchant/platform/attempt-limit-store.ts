// Counts of attempts in a window of time, shared by all processes of one database. This is the one file that knows
// rate-limiter-flexible, which takes the time from the clock of the host and not from `context.clock`: hosts that differ by
// some seconds begin and end a window by so much sooner or later.

import { createHmac, hkdfSync } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { AttemptLimit } from './card-limits';
import type { Config } from './config';
import type { Context } from './context';
import type { Statement } from './database';

/**
 * Counts one attempt, in one statement: of many at once no more pass than may.
 * Returns null if it may be made, else the seconds until the window is over.
 * @param keyPrefix names what is counted
 * @param key whose attempts; `keyOf` makes one of what nobody may read in the table
 * @throws DatabaseError when it could not be counted: then it must not be made
 */
export async function countAttemptIn(
  context: Context,
  keyPrefix: string,
  limit: AttemptLimit,
  key: string,
): Promise<number | null> {
  try {
    await limiterOf(context, keyPrefix, limit).consume(key);
    return null;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return toSeconds(refusal);
    throw refusal;
  }
}

/** Adds to a count, or takes a negative number from it, and forbids nothing. */
export async function addTo(
  context: Context,
  keyPrefix: string,
  limit: AttemptLimit,
  key: string,
  points: number,
): Promise<void> {
  await limiterOf(context, keyPrefix, limit).penalty(key, points);
}

/** The count begins anew. */
export async function forgetAttempts({ database }: Context, keyPrefix: string, key: string): Promise<void> {
  // As the library makes the keys of its rows.
  await database.cardLimit.deleteMany({ where: { key: `${keyPrefix}:${key}` } });
}

/**
 * A keyed hash, so that the table holds no member id, no address and no card number. Without a key a number would be found
 * by trying all 10^16, or, with the six and the four digits that are stored masked, 10^6. The key is made from FORM_SECRET,
 * which is not in the database. What remains: whoever has FORM_SECRET and reads the table within the day can find the number
 * of a card that was tried. A new first value of FORM_SECRET begins all counts anew.
 */
export function keyOf({ config }: Pick<Context, 'config'>, by: string, whose: string): string {
  return createHmac('sha256', hashKey(config))
    .update(JSON.stringify([by, whose]))
    .digest('base64url');
}

/** It holds no state: everything is in the table, which our migration has made. */
function limiterOf(
  { database }: Context,
  keyPrefix: string,
  { attempts, seconds }: AttemptLimit,
): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: {
      // Over our connections, with their limits of time and their errors. The library names each of its statements, and
      // computes with `expire` as a number.
      async query({ name, text, values }: Statement & { values: unknown[] }) {
        const rows = await database.$prepared<{ points: number; expire: string }>({ name, text }, values);
        return { rows: rows.map((row) => ({ ...row, expire: Number(row.expire) })), rowCount: rows.length };
      },
    },
    storeType: 'client',
    tableName: 'card_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix,
    points: attempts,
    duration: seconds,
  });
}

function toSeconds({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}

/** Made once for each config. */
const hashKeys = new WeakMap<Config, Buffer>();

function hashKey(config: Config): Buffer {
  const known = hashKeys.get(config);
  if (known) return known;
  const key = Buffer.from(hkdfSync('sha256', config.formSecrets[0], '', 'card-limits', 32));
  hashKeys.set(config, key);
  return key;
}
