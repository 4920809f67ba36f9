// Micro-batching: calls that arrive while an earlier call is running wait, and then run together. A call runs at once
// if no other is running, so a single call never waits and a thousand calls take a few runs.

import { stateOf, type Context } from './context';
import { DatabaseError } from './errors';

/** Returns one result for each item, in order. */
type RunMany<Item, Result> = (context: Context, items: readonly Item[]) => Promise<readonly Result[]>;

type Waiting = {
  item: unknown;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
};

/** A larger batch is slower than two statements. */
const LARGEST_BATCH = 500;

/** Waiting calls by function and key. A key exists while one of its calls is running. */
const createQueues = () => new Map<unknown, Map<string, Waiting[]>>();

/**
 * Runs `runMany` for this item, together with the others that wait for it. If it throws a DatabaseError that may be about
 * one item, it is called again for each item, so that one bad item does not fail the others.
 * @param key calls with different keys do not wait for each other
 */
export function runTogether<Item, Result>(
  context: Context,
  runMany: RunMany<Item, Result>,
  item: Item,
  key = '',
): Promise<Result> {
  return new Promise<unknown>((resolve, reject) => {
    const waiting = { item, resolve, reject };
    const queues = queuesOf(context, runMany);
    const queue = queues.get(key);
    if (queue) {
      queue.push(waiting);
      return;
    }
    const begun = [waiting];
    queues.set(key, begun);
    // The requests that were read in one turn of the event loop run together.
    setImmediate(() => void drain(begun));

    async function drain(own: Waiting[]): Promise<void> {
      while (own.length > 0)
        await run(context, runMany as RunMany<unknown, unknown>, own.splice(0, LARGEST_BATCH));
      queues.delete(key);
    }
  }) as Promise<Result>;
}

/** Whether `runMany` is running with this key. */
export function isRunning<Item, Result>(
  context: Context,
  runMany: RunMany<Item, Result>,
  key: string,
): boolean {
  return queuesOf(context, runMany).has(key);
}

function queuesOf(context: Context, runMany: unknown): Map<string, Waiting[]> {
  const all = stateOf(context, createQueues);
  const known = all.get(runMany) ?? new Map<string, Waiting[]>();
  all.set(runMany, known);
  return known;
}

async function run(
  context: Context,
  runMany: RunMany<unknown, unknown>,
  batch: readonly Waiting[],
): Promise<void> {
  try {
    const items = batch.map(({ item }) => item);
    const results = await runMany(context, items);
    batch.forEach(({ resolve }, i) => resolve(results[i]));
  } catch (error) {
    const mayBeOne = error instanceof DatabaseError && error.mayBeAboutOneItem;
    if (batch.length > 1 && mayBeOne) for (const each of batch) await run(context, runMany, [each]);
    else for (const { reject } of batch) reject(error);
  }
}
