// One path for one and for many: calls that come while a statement is under way wait and leave together in the next.
// A lone notification waits for nobody; a thousand at once are a few statements.

import { DatabaseFault } from '../errors';

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** More at once makes a statement slower than two. */
const LARGEST_BATCH = 500;

/**
 * @param callMany answers one result for each item, in their order
 * @returns the same for a single item
 */
export function batchCalls<Item, Result>(
  callMany: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let underWay = false;

  async function send(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await callMany(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, i) => resolve(results[i] as Result));
    } catch (error) {
      const oneIsTheReason = error instanceof DatabaseFault && error.isAboutValues;
      if (batch.length > 1 && oneIsTheReason) for (const each of batch) await send([each]);
      else for (const { reject } of batch) reject(error);
    }
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, LARGEST_BATCH);
      waiting = waiting.slice(LARGEST_BATCH);
      await send(batch);
    }
    underWay = false;
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (underWay) return;
      underWay = true;
      // Requests that were read in one turn of the event loop leave together.
      setImmediate(() => void drain());
    });
}
