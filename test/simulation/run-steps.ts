// Goes on with the processes of a story until all of them have ended what they do, in an order that chance decides.

import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Random } from './random';
import type { SimulatedProcess } from './simulated-process';

/** Batches wait for the end of a turn; what follows from a result needs some turns to reach its next step. */
const TURNS = 6;
/** Rounds of deliveries and shared calls wait for some tenths of a second of the host's time. */
const LONGEST_REST_MS = 20_000;

/**
 * @param between called before each step with how many wait; it may do something instead, and then returns true
 * @throws where nothing happens any more and something has not ended
 */
export async function runSteps(
  processes: () => readonly SimulatedProcess[],
  random: Random,
  between: (waiting: number) => Promise<boolean>,
): Promise<void> {
  let restedMs = 0;
  for (;;) {
    for (let turns = 0; turns < TURNS; turns += 1) await turn();
    const waiting = processes().flatMap(({ steps }) => steps.waiting);
    if (await between(waiting.length)) continue;
    if (waiting.length > 0) {
      restedMs = 0;
      await random.pick(waiting).happen();
      continue;
    }
    if (processes().every(({ tasks }) => tasks.size === 0)) return;
    if (restedMs >= LONGEST_REST_MS) throw new Error('nothing happens any more');
    await pause(5);
    restedMs += 5;
  }
}

/** Begins a task in a process. What a process that was killed says of it is not listened to. */
export function begin<Result>(
  process: SimulatedProcess,
  task: Promise<Result>,
  onResult: (result: Result) => void = () => undefined,
): void {
  const ended = task
    .then(
      (result) => {
        if (!process.steps.isKilled()) onResult(result);
      },
      () => undefined,
    )
    .finally(() => process.tasks.delete(ended));
  process.tasks.add(ended);
}
