// Waits for something that happens on its own, such as a request whose sender has hung up. Where the clock decides, a
// test moves the clock instead.

import { setTimeout as pause, setImmediate } from 'node:timers/promises';

/** Less than a test's own limit, so that the message names what was waited for. */
const LIMIT_MS = 120_000;

export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline)
      throw new Error(`did not happen within ${LIMIT_MS} ms: ${holds.toString()}`);
    await pause(10);
  }
}

/** Lets one turn of the event loop pass, for tests of code that works by its turns. */
export const nextTurn = (): Promise<void> => setImmediate();
