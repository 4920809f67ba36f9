// The parts that options add to a story: `part.ts` in a folder with the option's name, removed together with the option.

import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AllRows } from './prepared-rows';
import type { StoryOrder, Tale } from './tale';

export type Action = (tale: Tale) => Promise<void> | void;
export type Possible = (tale: Tale) => boolean;
/** An action of a story, its weight, and whether it would have an effect. */
export type WeightedAction = readonly [weight: number, action: Action, isPossible: Possible];

export type StoryTime = {
  /** Completes everything that is in progress. */
  goOn(): Promise<void>;
  /** Lets these minutes pass one after the other, and runs the jobs that become due. */
  pass(minutesEach: readonly number[]): Promise<unknown>;
};

export type StoryPart = {
  actions: readonly WeightedAction[];
  /** Another way to pay for an order, at the same moment as all others. */
  payFor?(tale: Tale, order: StoryOrder): void;
  end(tale: Tale, time: StoryTime): Promise<void>;
  /** Returns one sentence for each problem. */
  check(tale: Tale, rows: AllRows): string[];
};

const load = createRequire(__filename);

export const PARTS: readonly StoryPart[] = readdirSync(__dirname)
  .map((name) => join(__dirname, name, 'part.ts'))
  .filter((file) => existsSync(file))
  .map((file) => (load(file) as { part: StoryPart }).part);
