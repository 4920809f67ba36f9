// Detects distributed card testing, which stays below the limits per member, address and card. Most of its cards are
// declined (K2 and K3 of docs/13-faults.md), so declined cards fill leaky buckets. While one is full, first the
// networks have to wait, then each card needs a challenge, and last the form closes for everyone.

import { bestEffort } from '../../core/attempts/send-once';
import { networksOf, type NetworkSize } from '../../platform/address-list';
import type { Context } from '../../platform/context';
import {
  addTo,
  bucketOf,
  countTry,
  findFull,
  keyOf,
  type Bucket,
  type Full,
} from '../../platform/limit-store';
import type { CounterRows } from '../../platform/metrics';
import { cardLimitsOf, isUnlimited } from './settings';

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

type DeclineBucket = Bucket & {
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
  const { declines } = cardLimitsOf(context.config);
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

/** @param full those of the buckets of one address that have no room */
export function toMeasures(full: readonly Full<DeclineBucket>[]): Measures {
  const measures: Measures = { network: null, everybody: null, asksChallenge: false };
  for (const { counts, network, retryAfterSeconds } of full) {
    if (counts === 'challenge') measures.asksChallenge = true;
    else if (counts === 'everybody')
      measures.everybody = { retryAfterSeconds: longer(measures.everybody, retryAfterSeconds) };
    else
      measures.network = {
        retryAfterSeconds: longer(measures.network, retryAfterSeconds),
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
  return toMeasures(await findFull(context, bucketsOf(context, address)));
}

/**
 * Counts the result of a try once it is known: a declined card adds one, a registered card removes one, and other results
 * say nothing about the card. Cards that are tried at the same moment may fill a bucket above its limit; it then takes
 * longer until there is room, so that over time no more cards are tried. `limitTry` limits how many are on their way.
 * Never throws, because the card was already sent.
 * @param outcome the kind of the outcome of the registration
 */
export async function watchDeclines(
  context: Context,
  { address, cardNumber }: { address: string | null; cardNumber: string },
  outcome: string,
): Promise<void> {
  const isDeclined = outcome === 'declined';
  if ((!isDeclined && outcome !== 'registered') || isUnlimited(context, cardNumber)) return;
  await bestEffort(context, async () => {
    await addTo(context, bucketsOf(context, address), isDeclined ? 1 : -1);
    if (isDeclined) await reportCardTesting(context, await findMeasures(context, address));
  });
}

const ONCE_AN_HOUR = { attempts: 1, seconds: 3600 };

/**
 * Reports card testing at most once an hour for each wide network that has to wait, and for each measure that applies
 * to all.
 */
async function reportCardTesting(
  context: Context,
  { network, everybody, asksChallenge }: Measures,
): Promise<void> {
  const { logger, metrics } = context;
  const isNews = async (what: string) =>
    (await countTry(context, [bucketOf(context, 'told', ONCE_AN_HOUR, what)])) === null;
  const wide = network?.wide ?? null;
  if (wide !== null && (await isNews(wide))) {
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
