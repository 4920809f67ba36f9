// Counts of card attempts, shared by all processes of one database. This is the one file that knows
// rate-limiter-flexible, which takes the time from the clock of the host and not from `context.clock`: hosts that differ by
// some seconds begin and end a window by so much sooner or later.

import { createHmac, hkdfSync } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { BillingKeyStatus } from '../../generated/prisma/client';
import type { AttemptLimit } from '../card-limits';
import type { Config } from '../config';
import type { Context } from '../context';
import type { Statement } from '../database';

/** What is counted by whom: each has its limit in the config. */
export type CountedBy = 'member' | 'memberDaily' | 'address' | 'card';

/**
 * Counts one attempt, in one statement: of many at once no more pass than may.
 * Returns null if it may be made, else the seconds until the window is over.
 * @throws DatabaseError when it could not be counted: then it must not be made
 */
export async function countAttempt(context: Context, by: CountedBy, whose: string): Promise<number | null> {
  const limiter = limiterOf(context, by, context.config.cardLimits[by]);
  return consume(limiter, hashOf(context, by, whose));
}

/** Results of issuances in the window that is under way. */
export type ResultCounts = { results: number; declined: number };

/** Counts one result. Both windows begin with the same one, so that the two numbers can be compared. */
export async function countResult(context: Context, isDeclined: boolean): Promise<ResultCounts> {
  const { results, seconds } = context.config.cardLimits.wave;
  const limit = { attempts: results, seconds };
  const all = await limiterOf(context, 'results', limit).penalty(EVERYBODY, 1);
  const declined = await limiterOf(context, 'declined', limit).penalty(EVERYBODY, isDeclined ? 1 : 0);
  return { results: all.consumedPoints, declined: declined.consumedPoints };
}

/** Closes the form. Returns whether this call has closed it: false if it was closed already, also by another process. */
export async function closeForm(context: Context): Promise<boolean> {
  return (await consume(closure(context), EVERYBODY)) === null;
}

/** Returns null while the form is open, else the seconds until it opens by itself. */
export async function findClosure(context: Context): Promise<number | null> {
  const found = await closure(context).get(EVERYBODY);
  return found && toSeconds(found);
}

/** A member's keys as limits count them. */
export type CountedKeys = {
  /** Cards that the member has, also those that are being checked or removed. */
  held: number;
  /** When those came that were registered since then, whether they are still there or not; the oldest first. */
  registeredAt: Date[];
};

/** A card that was declined has no key, and does not count. */
export async function countKeys({ database }: Context, memberId: string, since: Date): Promise<CountedKeys> {
  const keys = await database.$prepared<{ status: BillingKeyStatus; createdAt: Date }>(COUNTED_KEYS, [
    memberId,
    since,
  ]);
  return {
    held: keys.filter(({ status }) => status !== 'removed').length,
    registeredAt: keys.map(({ createdAt }) => createdAt).filter((createdAt) => createdAt > since),
  };
}

const COUNTED_KEYS = {
  name: 'counted-keys',
  text: `
    select status, created_at as "createdAt" from billing_keys
    where member_id = $1 and status <> 'failed' and (status <> 'removed' or created_at > $2::timestamptz)
    order by created_at`,
};

/** Job `forget-card-attempts`: deletes the counts whose window is over, and with them the hashes of card numbers. */
export async function forgetCardAttempts({ database }: Context): Promise<void> {
  // The library's clock, which wrote the column.
  await database.cardLimit.deleteMany({ where: { expire: { lte: Date.now() } } });
}

/** For what is counted over everybody. */
const EVERYBODY = 'everybody';

function closure(context: Context): RateLimiterPostgres {
  const { closedSeconds } = context.config.cardLimits.wave;
  return limiterOf(context, 'closed', { attempts: 1, seconds: closedSeconds });
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

async function consume(limiter: RateLimiterPostgres, key: string): Promise<number | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return toSeconds(refusal);
    throw refusal;
  }
}

function toSeconds({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}

/**
 * A keyed hash, so that the table holds no member id, no address and no card number. Without a key a number would be found
 * by trying all 10^16, or, with the six and the four digits that are stored masked, 10^6. The key is made from FORM_SECRET,
 * which is not in the database. What remains: whoever has FORM_SECRET and reads the table within the day can find the number
 * of a card that was tried. A new first value of FORM_SECRET begins all counts anew.
 */
function hashOf({ config }: Context, by: CountedBy, whose: string): string {
  return createHmac('sha256', hashKey(config))
    .update(JSON.stringify([by, whose]))
    .digest('base64url');
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
