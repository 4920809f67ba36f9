// Waits for an asynchronous event, such as a request whose sender has disconnected. If an event depends on the clock, a test moves
// the clock instead.

import { setTimeout as pause, setImmediate } from 'node:timers/promises';

/** Less than the time-out of a test, so that the message names the condition. */
const LIMIT_MS = 120_000;

export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline)
      throw new Error(`did not happen within ${LIMIT_MS} ms: ${holds.toString()}`);
    await pause(10);
  }
}

/** Waits for one turn of the event loop. */
export const nextTurn = (): Promise<void> => setImmediate();
