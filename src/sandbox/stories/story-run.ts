// A running story. Its steps are executed one after the other, at once or one by one; after the last step the results are
// read.

import { setTimeout as pause } from 'node:timers/promises';
import { createScene, type Call, type DoneCall, type Places } from './scene';
import { toMerchant, type Expectation, type MerchantOption, type Stage, type Story } from './story';

export type DoneStep = { name: string; calls: DoneCall[] };

export type StoryRun = {
  story: Story;
  done: DoneStep[];
  /** Null until all steps are done. */
  ending: Expectation[] | null;
  /** Why the run was aborted. */
  failure: string | null;
  /** The option that the story needs, if the merchant lacks it: then no step is executed. */
  missing: MerchantOption | null;
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
      if (run.done.length === 0) run.missing = await findMissing(stage, story);
      if (run.missing !== null) return;
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
    missing: null,
    // Two presses at once execute two steps in turn.
    next: () => (underWay = underWay.then(next)),
  };
  return run;
}

export const hasCome = ({ expected, came }: Expectation): boolean => expected === came;

export const isGood = ({ ending }: StoryRun): boolean => ending !== null && ending.every(hasCome);

export const isOver = ({ ending, failure, missing }: StoryRun): boolean =>
  ending !== null || failure !== null || missing !== null;

/** Executes all remaining steps. */
export async function finishStory(run: StoryRun): Promise<void> {
  while (!isOver(run)) await run.next();
}

/** The answer is 404 only if the merchant lacks the option. The body of the second has no field that the route takes. */
const PROBES: Record<MerchantOption, Call> = {
  'card-form': toMerchant('GET', '/cards/new'),
  'window-keys': toMerchant('POST', '/api/members/story/billing-key-requests', { story: true }),
};

async function findMissing(stage: Stage, { needs }: Story): Promise<MerchantOption | null> {
  if (needs === undefined) return null;
  const { status } = await stage.ask(PROBES[needs]);
  return status === 404 ? needs : null;
}

const realTime = (seconds: number): Promise<void> => pause(seconds * 1000);
