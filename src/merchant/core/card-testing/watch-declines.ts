// Detects distributed card testing, which stays below the limits per member, address and card. Most of its cards are
// declined (K2 and K3 of docs/13-faults.md), so declined cards fill leaky buckets. While one is full, first the
// networks have to wait, then each card needs a challenge, and last the form closes for everyone.

import { networksOf, type NetworkSize } from '../../platform/address-list';
import { msPerAttempt, secondsUntilRoom, type AttemptLimit } from '../../platform/card-limits';
import type { Context } from '../../platform/context';
import { countAttemptIn, fillBuckets, keyOf, readBuckets } from '../../platform/limit-store';
import type { CounterRows } from '../../platform/metrics';

export const waveCounters = {
  waves: {
    name: 'merchant_card_waves_total',
    help: 'Measures taken against waves of declined cards: network (one has to wait), challenge.',
    labels: ['measure'],
    fromZero: [{ measure: 'network' }, { measure: 'challenge' }],
  },
  formClosures: {
    name: 'merchant_card_form_closures_total',
    help: 'How often a wave of declined cards has closed the card form.',
    labels: [],
  },
} as const satisfies CounterRows;

type DeclineBucket = {
  key: string;
  limit: AttemptLimit;
  counts: NetworkSize | 'challenge' | 'everybody';
  /** Null if it counts all networks together. */
  network: string | null;
};

/** The measures that apply now. */
export type Measures = {
  /** The visitor's network has to wait. `wide`: the waiting network, if it covers more than one customer. */
  network: { retryAfterSeconds: number; wide: string | null } | null;
  /** The form is closed. */
  everybody: { retryAfterSeconds: number } | null;
  asksChallenge: boolean;
};

/**
 * The bucket keys contain keyed hashes of networks.
 * @param address of the browser; null if unknown, and all unknown addresses count together as one wide network
 */
export function bucketsOf(context: Pick<Context, 'config'>, address: string | null): DeclineBucket[] {
  const { declines } = context.config.cardLimits;
  const networks = address === null ? [UNKNOWN] : networksOf(address);
  const counted = [
    ...networks.map(({ size, network }) => ({ counts: size, network })),
    ...(['challenge', 'everybody'] as const).map((counts) => ({ counts, network: null })),
  ];
  return counted.flatMap(({ counts, network }) =>
    declines[counts].map((limit) => {
      const name = `${counts}:${limit.seconds}`;
      const key = `declined:${network === null ? name : keyOf(context, name, network)}`;
      return { counts, network, limit, key };
    }),
  );
}

const UNKNOWN = { size: 'wide', network: 'unknown' } as const;

/** @param count negative to take back */
export function changesOf(buckets: readonly DeclineBucket[], count: number): { key: string; ms: number }[] {
  return buckets.map(({ key, limit }) => ({ key, ms: count * msPerAttempt(limit) }));
}

/** @param emptyAt when each bucket will be empty, by key, in UNIX milliseconds; a missing one is empty */
export function toMeasures(
  buckets: readonly DeclineBucket[],
  emptyAt: ReadonlyMap<string, number>,
  nowMs: number,
): Measures {
  const measures: Measures = { network: null, everybody: null, asksChallenge: false };
  for (const { counts, key, limit, network } of buckets) {
    const seconds = secondsUntilRoom(limit, emptyAt.get(key) ?? 0, nowMs);
    if (seconds === null) continue;
    if (counts === 'challenge') measures.asksChallenge = true;
    else if (counts === 'everybody')
      measures.everybody = { retryAfterSeconds: longer(measures.everybody, seconds) };
    else
      measures.network = {
        retryAfterSeconds: longer(measures.network, seconds),
        wide: counts === 'wide' ? network : null,
      };
  }
  return measures;
}

function longer(known: { retryAfterSeconds: number } | null, seconds: number): number {
  return Math.max(known?.retryAfterSeconds ?? 0, seconds);
}

/** @throws DatabaseError */
export async function findMeasures(context: Context, address: string | null): Promise<Measures> {
  const buckets = bucketsOf(context, address);
  const keys = buckets.map(({ key }) => key);
  return toMeasures(buckets, await readBuckets(context, keys), context.realClock.now().getTime());
}

/**
 * Counts a try as declined before it is made, so that concurrent tries cannot exceed the limit. Pass its result to
 * `watchDeclines`, which corrects the count. If the process dies before that, the try stays counted.
 * @param options `asksChallenge`: a challenge is already required, so the challenge bucket is not filled further
 * @returns null if the try may be made; otherwise the measures that prevent it, and it is not counted
 * @throws DatabaseError if it could not be counted; the try must then not be made
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
  const measures = toMeasures(buckets, before, context.realClock.now().getTime());
  if (measures.network === null && measures.everybody === null) return null;
  await fillBuckets(context, changesOf(buckets, -1));
  return measures;
}

/**
 * Corrects the count of a try by its result. A registered card takes back its own count and that of one declined card.
 * `no_result` (the answer was lost or nothing was sent) takes back its own count. A declined card stays counted.
 * @throws DatabaseError
 */
export async function watchDeclines(
  context: Context,
  address: string | null,
  result: 'registered' | 'declined' | 'no_result',
): Promise<void> {
  if (result === 'declined') return reportCardTesting(context, await findMeasures(context, address));
  await fillBuckets(context, changesOf(bucketsOf(context, address), result === 'registered' ? -2 : -1));
}

const TOLD = { attempts: 1, seconds: 3600 };

/**
 * Reports card testing at most once an hour for each wide network that has to wait, and for each measure that applies
 * to all.
 */
async function reportCardTesting(
  context: Context,
  { network, everybody, asksChallenge }: Measures,
): Promise<void> {
  const { logger, metrics } = context;
  const isNews = async (what: string) => (await countAttemptIn(context, 'told', TOLD, what)) === null;
  const wide = network?.wide ?? null;
  if (wide !== null && (await isNews(keyOf(context, 'told', wide)))) {
    metrics.count(waveCounters.waves, { measure: 'network' });
    logger.warn({ event: 'card_network_waits', network: wide });
  }
  if (asksChallenge && (await isNews('challenge'))) {
    metrics.count(waveCounters.waves, { measure: 'challenge' });
    logger.warn({ event: 'card_challenge_asked' });
  }
  if (everybody && (await isNews('everybody'))) {
    metrics.count(waveCounters.formClosures);
    logger.warn({ event: 'card_form_closed', retry_after_seconds: everybody.retryAfterSeconds });
  }
}
