// Micro-batching: calls that arrive while an earlier call is running wait, and then run together. A call runs at once
// if no other is running, so a single call never waits and a thousand calls take a few runs.

import type { Context } from './context';
import { DatabaseError } from './errors';

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** A larger batch is slower than two statements. */
const LARGEST_BATCH = 500;

/**
 * Wrap it in a named function, as `storeNotification` does, so that readers and editors find `runMany`.
 * @param runMany returns one result for each item, in order. If it throws a DatabaseError that may be about one item,
 * it is called again for each item, so that one bad item does not fail the others.
 * @param keyOf calls with different keys do not wait for each other
 */
export function createBatcher<Item, Result>(
  runMany: (context: Context, items: readonly Item[]) => Promise<readonly Result[]>,
  keyOf: (item: Item) => string = () => '',
) {
  /** Waiting calls by key. A key exists while one of its calls is running. */
  const queues = new WeakMap<Context, Map<string, Waiting<Item, Result>[]>>();

  function queuesOf(context: Context): Map<string, Waiting<Item, Result>[]> {
    const known = queues.get(context) ?? new Map<string, Waiting<Item, Result>[]>();
    queues.set(context, known);
    return known;
  }

  async function drain(context: Context, key: string, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) await send(context, queue.splice(0, LARGEST_BATCH));
    queuesOf(context).delete(key);
  }

  async function send(context: Context, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      const results = await runMany(context, items);
      batch.forEach(({ resolve }, i) => resolve(results[i] as Result));
    } catch (error) {
      const mayBeOne = error instanceof DatabaseError && error.mayBeAboutOneItem;
      if (batch.length > 1 && mayBeOne) for (const each of batch) await send(context, [each]);
      else for (const { reject } of batch) reject(error);
    }
  }

  return {
    add(context: Context, item: Item): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        const waiting = { item, resolve, reject };
        const key = keyOf(item);
        const queue = queuesOf(context).get(key);
        if (queue) {
          queue.push(waiting);
          return;
        }
        const begun = [waiting];
        queuesOf(context).set(key, begun);
        // Batch the requests that were read in one turn of the event loop.
        setImmediate(() => void drain(context, key, begun));
      });
    },

    /** Whether a call with this item's key is running or waiting. */
    isBusy: (context: Context, item: Item) => queuesOf(context).has(keyOf(item)),
  };
}
