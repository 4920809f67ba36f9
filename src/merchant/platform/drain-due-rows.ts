// Works through due rows that several processes share: it claims some, processes a number of them concurrently, and
// claims more as places become free, until nothing is due. One process runs at most one loop of a kind, because two
// would double the concurrency.

import { Prisma } from '../../generated/prisma/client';
import { stateOf, type Context } from './context';

export type DueRows<Item> = {
  /** One loop of a kind runs in a process. */
  kind: string;
  /** How many items this process works on at once. */
  atOnce: number;
  /**
   * The wait after a claim that did not fill every place, so that the next statement takes all that has become due
   * meanwhile. It limits how often the database is queried. Absent: none.
   */
  gapMs?: number;
  /** Returns items that no other loop has, at most one per place. */
  claim(places: number): Promise<readonly Item[]>;
  /** Never rejects: what cannot be written is due again later. */
  work(item: Item): Promise<unknown>;
  /** Aborted when this process stops. */
  stopping?: AbortSignal | undefined;
};

/** The loops that are running, by kind: each function makes its loop claim again. */
const createLoops = () => new Map<string, () => void>();

/**
 * Runs a loop until nothing is due or `stopping` is aborted. It claims when at least half of the places are free, so
 * that one statement claims many. If a loop of this kind is already running in this process, makes it claim again and
 * returns at once.
 * @throws what `claim` throws, after the items in progress have ended
 */
export async function drainDueRows<Item>(
  context: Context,
  { kind, atOnce, gapMs = 0, claim, work, stopping }: DueRows<Item>,
): Promise<void> {
  const loops = stateOf(context, createLoops);
  const claimAgain = loops.get(kind);
  if (claimAgain) {
    claimAgain();
    return;
  }
  const inFlight = new Set<Promise<void>>();
  let isWoken = true;
  try {
    while ((isWoken || inFlight.size > 0) && !stopping?.aborted) {
      isWoken = false;
      const woken = new Promise<void>((resolve) => {
        loops.set(kind, () => {
          isWoken = true;
          resolve();
        });
      });
      const places = atOnce - inFlight.size;
      const claimed = places < atOnce / 2 ? [] : await claim(places);
      for (const item of claimed) {
        const worked = work(item).then(() => {
          inFlight.delete(worked);
          // The item may have made another one due.
          isWoken = true;
        });
        inFlight.add(worked);
      }
      if (inFlight.size > 0) await Promise.race([woken, ...inFlight]);
      // Lets items that end in the same turn free their places before the next claim.
      await new Promise((resolve) => setImmediate(resolve));
      if (gapMs > 0 && isWoken && claimed.length < places)
        await context.clock.wait(gapMs, { signal: stopping }).catch(() => undefined);
    }
  } finally {
    loops.delete(kind);
    await Promise.all(inFlight);
  }
}

/**
 * The wait before the next try of a row, as SQL: as long as the row has waited already (1, 1, 2, 4, 8 … minutes), at least
 * a minute and at most an hour.
 * @param waited an interval; of several, the shortest counts
 */
export const growingGap = (waited: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`greatest(interval '1 minute', least(interval '1 hour', ${waited}))`;
