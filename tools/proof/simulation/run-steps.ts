// Runs the processes of a story, step by step in random order, until all their tasks have ended.

import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Random } from '../seeded-random';
import { isUnderWayAt } from './connections';
import type { SimulatedProcess } from './simulated-process';
import type { Step } from './steps';

/** Turns of the event loop between steps: batches wait for the end of a turn, and a task needs some turns for its next step. */
const TURNS = 20;
/** In real time. */
const LONGEST_AWAY_MS = 10_000;
/** The probability that a pause ends before other steps. */
const PAUSE_ENDS_CHANCE = 0.05;

/**
 * @param between is called before each step with the number of pending steps; returns true if it did something instead
 * @param onStep is called with each step
 * @throws if a task has not ended and no step is pending
 */
export async function runSteps(
  processes: () => readonly SimulatedProcess[],
  random: Random,
  between: (waiting: number) => Promise<boolean>,
  onStep: (process: number, step: Step) => void,
): Promise<void> {
  for (;;) {
    await settle();
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
 * Waits for what is no step, so that only the seed decides the next one: the connection of the reconciliation's lock, and a process
 * that has a task but no step yet.
 * @throws if it does not end
 */
async function untilAtSteps(processes: readonly SimulatedProcess[]): Promise<void> {
  const isAway = ({ context, tasks, steps }: SimulatedProcess) =>
    (tasks.size > 0 && steps.waiting.length === 0) || isUnderWayAt(context.config.databaseDirectUrl);
  for (let waitedMs = 0; processes.some(isAway); waitedMs += 1) {
    if (waitedMs >= LONGEST_AWAY_MS) throw new Error('nothing happens any more');
    await pause(1);
    await settle();
  }
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < TURNS; turns += 1) await turn();
}

/** Starts a task in a process. Results of a killed process are ignored. */
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
