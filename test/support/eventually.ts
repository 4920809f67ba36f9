// Waits for something that happens on its own, such as a request whose sender has hung up. For nothing that a clock
// could move.

import { setTimeout as pause } from 'node:timers/promises';

const LIMIT_MS = 5_000;

export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`did not happen within ${LIMIT_MS} ms`);
    await pause(10);
  }
}
