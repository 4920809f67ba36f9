// Many hands and many addresses stay below the limits of a member, an address and a card. What they cannot hide is that most
// of their cards are declined (K2 and K3 of docs/13-faults.md). A try is counted as declined before it is made, and corrected
// when its result is known, so that of many at once no more pass than may.

import type { Context } from '../../platform/context';
import { countAttemptIn, fillBuckets, keyOf, readBuckets } from '../../platform/limit-store';
import { bucketsOf, changesOf, toMeasures, type Measures } from './decline-buckets';
import { cardCounters } from './metrics';

/** @throws DatabaseError */
export async function findMeasures(context: Context, address: string | null): Promise<Measures> {
  const buckets = bucketsOf(context, address);
  const keys = buckets.map(({ key }) => key);
  return toMeasures(buckets, await readBuckets(context, keys), context.clock.now().getTime());
}

/**
 * Counts one try. `watchDeclines` has to be told of its result; where a process ends before that, it stays counted.
 * @param options `asksChallenge`: so many are counted that a challenge was asked for, and more need not be
 * @returns null if it may be made; else why not, and it is not counted
 * @throws DatabaseError when it could not be counted: then it must not be made
 */
export async function countTry(
  context: Context,
  address: string | null,
  { asksChallenge }: { asksChallenge: boolean },
): Promise<Measures | null> {
  const buckets = bucketsOf(context, address).filter(
    ({ counts }) => counts !== 'challenge' || !asksChallenge,
  );
  const change = changesOf(buckets, 1);
  const filled = await fillBuckets(context, change);
  const before = new Map(change.map(({ key, ms }) => [key, (filled.get(key) ?? 0) - ms]));
  const measures = toMeasures(buckets, before, context.clock.now().getTime());
  if (measures.network === null && measures.everybody === null) return null;
  await fillBuckets(context, changesOf(buckets, -1));
  return measures;
}

/**
 * Takes note of the result of a try that was counted. A registered card takes back its own count and that of one declined
 * card. `no_result`: nothing is known of the card, as the answer was lost or nothing was sent; its count is taken back. A
 * declined card stays counted as it is.
 * @throws DatabaseError
 */
export async function watchDeclines(
  context: Context,
  address: string | null,
  result: 'registered' | 'declined' | 'no_result',
): Promise<void> {
  if (result === 'declined') return tellMeasures(context, await findMeasures(context, address));
  await fillBuckets(context, changesOf(bucketsOf(context, address), result === 'registered' ? -2 : -1));
}

const TOLD = { attempts: 1, seconds: 3600 };

/** Somebody tests cards: said once in an hour for each wide network that has to wait, and for each measure for all. */
async function tellMeasures(
  context: Context,
  { network, everybody, asksChallenge }: Measures,
): Promise<void> {
  const { logger, metrics } = context;
  const isNews = async (what: string) => (await countAttemptIn(context, 'told', TOLD, what)) === null;
  const wide = network?.wide ?? null;
  if (wide !== null && (await isNews(keyOf(context, 'told', wide)))) {
    metrics.count(cardCounters.waves, { measure: 'network' });
    logger.warn({ event: 'card_network_waits', network: wide });
  }
  if (asksChallenge && (await isNews('challenge'))) {
    metrics.count(cardCounters.waves, { measure: 'challenge' });
    logger.warn({ event: 'card_challenge_asked' });
  }
  if (everybody && (await isNews('everybody'))) {
    metrics.count(cardCounters.formClosures);
    logger.warn({ event: 'card_form_closed', retry_after_seconds: everybody.retryAfterSeconds });
  }
}
