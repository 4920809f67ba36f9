// Which leaky buckets a declined card fills, and what is done while they are full: the networks that declined cards come
// from have to wait first, then each card needs a challenge, and the form closes for everybody last.

import { networksOf, type NetworkSize } from '../../platform/address-list';
import { dropMs, secondsUntilRoom, type AttemptLimit } from '../../platform/card-limits';
import type { Context } from '../../platform/context';
import { keyOf } from '../../platform/limit-store';

export type DeclineBucket = {
  key: string;
  limit: AttemptLimit;
  counts: NetworkSize | 'challenge' | 'everybody';
  /** Null where it is counted over all networks. */
  network: string | null;
};

/** What is done now about declined cards. */
export type Measures = {
  /** The visitor's network has to wait. `wide`: the network of more than one customer that has to, if it is such a one. */
  network: { retryAfterSeconds: number; wide: string | null } | null;
  /** The form is closed. */
  everybody: { retryAfterSeconds: number } | null;
  asksChallenge: boolean;
};

/**
 * Their keys hold keyed hashes of networks.
 * @param address of the browser; null where it cannot be known: those count together, as one wide network
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

/** @param count negative: taken out */
export function changesOf(buckets: readonly DeclineBucket[], count: number): { key: string; ms: number }[] {
  return buckets.map(({ key, limit }) => ({ key, ms: count * dropMs(limit) }));
}

/** @param emptyAt by key, when the bucket will be empty, in UNIX milliseconds; one that is missing is empty */
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
