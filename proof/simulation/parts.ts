// What options add to a story: the file `part.ts` in a folder of the option's name, beside this file. It goes with its option.

import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AllRows } from './prepared-rows';
import type { Tale } from './tale';

export type Action = (tale: Tale) => Promise<void> | void;
export type Possible = (tale: Tale) => boolean;
/** What may happen in a story, how often beside the others, and whether it would do something. */
export type WeightedAction = readonly [weight: number, action: Action, isPossible: Possible];

export type StoryTime = {
  /** Lets everything happen that is under way. */
  goOn(): Promise<void>;
  /** Lets so many minutes pass, one after the other, and what becomes due happen. */
  pass(minutesEach: readonly number[]): Promise<unknown>;
};

export type StoryPart = {
  actions: readonly WeightedAction[];
  end(tale: Tale, time: StoryTime): Promise<void>;
  /** Returns one sentence for each thing that is not true. */
  check(tale: Tale, rows: AllRows): string[];
};

const load = createRequire(__filename);

export const PARTS: readonly StoryPart[] = readdirSync(__dirname)
  .map((name) => join(__dirname, name, 'part.ts'))
  .filter((file) => existsSync(file))
  .map((file) => (load(file) as { part: StoryPart }).part);
