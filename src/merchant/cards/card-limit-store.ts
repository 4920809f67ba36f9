// Counts of card attempts and their results, shared by all processes of one database.

import type { BillingKeyStatus } from '../../generated/prisma/client';
import { addTo, countAttemptIn, findWindow, keyOf } from '../attempt-limit-store';
import type { AttemptLimit } from '../card-limits';
import type { Context } from '../context';

/** What is counted by whom: each has its limit in the config. */
export type CountedBy = 'member' | 'memberDaily' | 'address' | 'card';

/**
 * Counts one attempt, in one statement: of many at once no more pass than may.
 * Returns null if it may be made, else the seconds until the window is over.
 * @throws DatabaseError when it could not be counted: then it must not be made
 */
export async function countAttempt(context: Context, by: CountedBy, whose: string): Promise<number | null> {
  return countAttemptIn(context, by, context.config.cardLimits[by], keyOf(context, by, whose));
}

/** Results of issuances in the window that is under way. */
export type ResultCounts = { results: number; declined: number };

/** Counts one result. Both windows begin with the same one, so that the two numbers can be compared. */
export async function countResult(context: Context, isDeclined: boolean): Promise<ResultCounts> {
  const { results, seconds } = context.config.cardLimits.wave;
  const limit = { attempts: results, seconds };
  const all = await addTo(context, 'results', limit, EVERYBODY, 1);
  const declined = await addTo(context, 'declined', limit, EVERYBODY, isDeclined ? 1 : 0);
  return { results: all, declined };
}

/** Closes the form. Returns whether this call has closed it: false if it was closed already, also by another process. */
export async function closeForm(context: Context): Promise<boolean> {
  return (await countAttemptIn(context, 'closed', closure(context), EVERYBODY)) === null;
}

/** Returns null while the form is open, else the seconds until it opens by itself. */
export async function findClosure(context: Context): Promise<number | null> {
  return findWindow(context, 'closed', closure(context), EVERYBODY);
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

function closure({ config }: Context): AttemptLimit {
  return { attempts: 1, seconds: config.cardLimits.wave.closedSeconds };
}
