// Rows that are due are shared by several processes: each claims some, works on a number of them at a time, and claims more
// as places become free, until nothing is due. Two rounds of one kind in one process would double that number.

import type { Context } from './context';

export type Round<Item> = {
  /** How many items are worked on at the same time in this process. */
  atOnce: number;
  /** Nothing is claimed while fewer places than this are free, so that one statement claims many. */
  claimFrom: number;
  /**
   * After a claim that did not fill every place the next one comes so much later, so that one statement takes what has come
   * meanwhile. It bounds how often the database is asked.
   */
  gapMs: number;
  /** Returns items that no other round has, at most as many as there are places. */
  claim(places: number): Promise<readonly Item[]>;
  /** Never rejects: what cannot be written is due again later. */
  work(item: Item): Promise<void>;
};

const wakers = new WeakMap<Context, Map<string, () => void>>();

/**
 * Runs a round until nothing is due or `stopping` is aborted. Where one of this kind is under way in this process, that one
 * is woken and looks again, and this call ends at once: it returns false.
 * @throws what `claim` throws, after what is under way has ended
 */
export async function runRound<Item>(
  context: Context,
  kind: string,
  { atOnce, claimFrom, gapMs, claim, work }: Round<Item>,
  stopping?: AbortSignal,
): Promise<boolean> {
  const wakersHere = wakers.get(context) ?? new Map<string, () => void>();
  wakers.set(context, wakersHere);
  const wakeOther = wakersHere.get(kind);
  if (wakeOther) {
    wakeOther();
    return false;
  }
  const inFlight = new Set<Promise<void>>();
  let isWoken = true;
  try {
    while ((isWoken || inFlight.size > 0) && !stopping?.aborted) {
      isWoken = false;
      const woken = new Promise<void>((resolve) => {
        wakersHere.set(kind, () => {
          isWoken = true;
          resolve();
        });
      });
      const places = atOnce - inFlight.size;
      const claimed = places < claimFrom ? [] : await claim(places);
      for (const item of claimed) {
        const worked = work(item).then(() => {
          inFlight.delete(worked);
          // It may have made something else due.
          isWoken = true;
        });
        inFlight.add(worked);
      }
      if (inFlight.size > 0) await Promise.race([woken, ...inFlight]);
      // What ends in the same turn is counted before more is claimed.
      await new Promise((resolve) => setImmediate(resolve));
      if (gapMs > 0 && isWoken && claimed.length < places)
        await context.clock.wait(gapMs, { signal: stopping }).catch(() => undefined);
    }
  } finally {
    wakersHere.delete(kind);
    await Promise.all(inFlight);
  }
  return true;
}
