// Many stories, some of them at the same time, each on a stage of its own.

import { checkBooks } from './check-books';
import { createRandom } from './random';
import { openStage } from './stage';
import { tellStory } from './story';

export type Failure = { seed: number; problems: string[]; trace: readonly string[] };

/** @param onDone called after each story */
export async function simulate(
  { from, count, atOnce }: { from: number; count: number; atOnce: number },
  onDone: (done: number) => void = () => undefined,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  let next = from;
  let done = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const stage = await openStage();
      try {
        for (let seed = next++; seed < from + count; seed = next++) {
          const failure = await simulateOne(stage, seed);
          if (failure) failures.push(failure);
          onDone((done += 1));
        }
      } finally {
        await stage.close();
      }
    }),
  );
  return failures.sort((one, other) => one.seed - other.seed);
}

async function simulateOne(
  stage: Awaited<ReturnType<typeof openStage>>,
  seed: number,
): Promise<Failure | null> {
  const random = createRandom(seed);
  const cleared = await stage.clear(random);
  const story = await tellStory(cleared, random);
  const problems = await checkBooks(cleared, story);
  return problems.length === 0 ? null : { seed, problems, trace: story.trace };
}
