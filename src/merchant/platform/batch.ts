// One path for one and for many: calls that come while a statement is in flight wait and leave together in the next.
// With no statement in flight, a call is sent at once; a thousand at once are a few statements.

import type { Context } from './context';
import { DatabaseError } from './errors';

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};
type Queue<Item, Result> = { waiting: Waiting<Item, Result>[]; inFlight: boolean };

/** A larger batch makes a statement slower than two. */
const LARGEST_BATCH = 500;

/**
 * @param runMany returns one result for each item, in their order
 * @returns the same for a single item; each Context has a queue of its own
 */
export function batched<Item, Result>(
  runMany: (context: Context, items: readonly Item[]) => Promise<readonly Result[]>,
): (context: Context, item: Item) => Promise<Result> {
  const queues = new WeakMap<Context, Queue<Item, Result>>();

  return (context, item) =>
    new Promise<Result>((resolve, reject) => {
      const queue = queues.get(context) ?? { waiting: [], inFlight: false };
      queues.set(context, queue);
      queue.waiting.push({ item, resolve, reject });
      if (queue.inFlight) return;
      queue.inFlight = true;
      // Requests that were read in one turn of the event loop leave together.
      setImmediate(() => void drain(context, queue));
    });

  async function drain(context: Context, queue: Queue<Item, Result>): Promise<void> {
    while (queue.waiting.length > 0) await send(context, queue.waiting.splice(0, LARGEST_BATCH));
    queue.inFlight = false;
  }

  async function send(context: Context, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await runMany(
        context,
        batch.map(({ item }) => item),
      );
      batch.forEach(({ resolve }, i) => resolve(results[i] as Result));
    } catch (error) {
      // One item that cannot be written must not fail the others: each is sent by itself.
      const oneIsTheReason = error instanceof DatabaseError && error.mayBeAboutOneItem;
      if (batch.length > 1 && oneIsTheReason) for (const each of batch) await send(context, [each]);
      else for (const { reject } of batch) reject(error);
    }
  }
}
