// Waits for an asynchronous event, such as a request whose sender has disconnected. If an event depends on the clock, a test moves
// the clock instead.

import { setTimeout as pause, setImmediate } from 'node:timers/promises';

/** Less than the time-out of a test, so that the message names the condition. */
const LIMIT_MS = 120_000;
/** A condition can cost a request or a statement: a short wait is checked often, a long one less often. */
const PAUSE_MS = { least: 10, most: 100, partOfWait: 0.1 };

export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await holds())) {
    const waitedMs = performance.now() - began;
    if (waitedMs > LIMIT_MS) throw new Error(`did not happen within ${LIMIT_MS} ms: ${holds.toString()}`);
    // After a test that has failed meanwhile, this does not keep the process from ending.
    const ms = Math.min(Math.max(waitedMs * PAUSE_MS.partOfWait, PAUSE_MS.least), PAUSE_MS.most);
    await pause(ms, undefined, { ref: false });
  }
}

/** Waits for one turn of the event loop. */
export const nextTurn = (): Promise<void> => setImmediate();
