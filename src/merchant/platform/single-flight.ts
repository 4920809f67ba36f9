// Copies of one call share their work: a hundred at once are one call in flight and one more for those that came while
// it was, because a call that has begun may already have missed what the later ones tell of.

import type { Context } from './context';

type Flights<Result> = { running: Map<string, Promise<void>>; waiting: Map<string, Promise<Result>> };

/** Copies come in a burst: those that come just after a call share the next one. */
const COLLECT_MS = 100;

/**
 * @param keyOf calls with one key are copies of each other
 * @param collect resolves when the next call with the same key may begin; a test replaces the pause
 * @param work learns whether it has waited for another one
 * @returns `work`, with at most one call in flight and one waiting for each key; each Context has its own
 */
export function singleFlight<Input, Result>(
  keyOf: (input: Input) => string,
  work: (context: Context, input: Input, waited: boolean) => Promise<Result>,
  collect: (context: Context) => Promise<void> = collectCopies,
): (context: Context, input: Input) => Promise<Result> {
  const flightsOf = new WeakMap<Context, Flights<Result>>();

  return (context, input) => {
    const flights: Flights<Result> = flightsOf.get(context) ?? { running: new Map(), waiting: new Map() };
    flightsOf.set(context, flights);
    const { running, waiting } = flights;
    const key = keyOf(input);
    const inFlight = running.get(key);
    if (!inFlight) return begin(false);
    const next = waiting.get(key) ?? inFlight.then(() => begin(true));
    waiting.set(key, next);
    return next;

    function begin(waited: boolean): Promise<Result> {
      waiting.delete(key);
      const result = work(context, input, waited);
      const collected = () => collect(context);
      const ended = result.then(collected, collected).then(() => void running.delete(key));
      running.set(key, ended);
      return result;
    }
  };
}

function collectCopies({ clock }: Context): Promise<void> {
  return clock.wait(COLLECT_MS, { ref: false });
}
