// Goes on with the processes of a story until all of them have ended what they do, in an order that chance decides.

import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Random } from '../seeded-random';
import type { SimulatedProcess } from './simulated-process';
import type { Step } from './steps';

/** Batches wait for the end of a turn; what follows from a result needs some turns to reach its next step. */
const TURNS = 6;
/** Of the host's time. */
const LONGEST_AWAY_MS = 10_000;
/** A pause ends while something else goes on. */
const PAUSE_ENDS_CHANCE = 0.05;

/**
 * @param between called before each step with how many wait; it may do something instead, and then returns true
 * @param onStep called with each step
 * @throws where nothing happens any more and something has not ended
 */
export async function runSteps(
  processes: () => readonly SimulatedProcess[],
  random: Random,
  between: (waiting: number) => Promise<boolean>,
  onStep: (process: number, step: Step) => void,
): Promise<void> {
  for (;;) {
    for (let turns = 0; turns < TURNS; turns += 1) await turn();
    await untilAtSteps(processes());
    const waiting = processes().flatMap(({ steps }, process) =>
      steps.waiting.map((step) => ({ process, step })),
    );
    const working = waiting.filter(({ step }) => !step.isPause);
    if (await between(working.length)) continue;
    if (waiting.length === 0) return;
    const isPauseOver = working.length === 0 || random.chance(PAUSE_ENDS_CHANCE);
    const { process, step } = random.pick(isPauseOver ? waiting : working);
    onStep(process, step);
    await step.happen();
  }
}

/**
 * A process that has a task and no step is at something that is not passed in: the connection of the reconciliation's lock.
 * It is waited for, so that chance alone decides what comes next.
 * @throws where it does not end
 */
async function untilAtSteps(processes: readonly SimulatedProcess[]): Promise<void> {
  const isAway = ({ tasks, steps }: SimulatedProcess) => tasks.size > 0 && steps.waiting.length === 0;
  for (let waitedMs = 0; processes.some(isAway); waitedMs += 1) {
    if (waitedMs >= LONGEST_AWAY_MS) throw new Error('nothing happens any more');
    await pause(1);
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
