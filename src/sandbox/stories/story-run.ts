// A running story. Its steps are executed one after the other, at once or one by one; after the last step the results are
// read.

import { setTimeout as pause } from 'node:timers/promises';
import { createScene, type DoneCall, type Places } from './scene';
import type { Expectation, Stage, Story } from './story';

export type DoneStep = { name: string; calls: DoneCall[] };

export type StoryRun = {
  story: Story;
  done: DoneStep[];
  /** Null until all steps are done. */
  ending: Expectation[] | null;
  /** Why the run was aborted. */
  failure: string | null;
  /** Executes the next step, if there is one. */
  next(): Promise<void>;
};

type Options = {
  wait?: (seconds: number) => Promise<void>;
  compareBooks?: () => Promise<void>;
  goesOn?: boolean;
};

export function startStory(
  story: Story,
  places: Places,
  { wait = realTime, compareBooks, goesOn = false }: Options = {},
): StoryRun {
  const scene = createScene(places);
  const stage: Stage = { ...scene, facts: {}, wait, compareBooks, goesOn };
  let underWay: Promise<void> = Promise.resolve();

  async function next(): Promise<void> {
    const step = story.steps[run.done.length];
    if (run.failure !== null || !step) return;
    const before = scene.done.length;
    try {
      await step.run(stage).catch((error: unknown) => {
        if (!goesOn) throw error;
      });
      run.done.push({ name: step.name, calls: scene.done.slice(before) });
      if (run.done.length === story.steps.length) run.ending = await story.ending(stage);
    } catch (error) {
      run.failure = error instanceof Error ? error.message : 'unknown error';
    }
  }

  const run: StoryRun = {
    story,
    done: [],
    ending: null,
    failure: null,
    // Two presses at once execute two steps in turn.
    next: () => (underWay = underWay.then(next)),
  };
  return run;
}

export const hasCome = ({ expected, came }: Expectation): boolean => expected === came;

export const isGood = ({ ending }: StoryRun): boolean => ending !== null && ending.every(hasCome);

/** Executes all remaining steps. */
export async function finishStory(run: StoryRun): Promise<void> {
  while (run.ending === null && run.failure === null) await run.next();
}

const realTime = (seconds: number): Promise<void> => pause(seconds * 1000);
