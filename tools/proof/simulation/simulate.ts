// Runs many stories, some in parallel, each on its own stage.

import { seededRandom } from '../seeded-random';
import { checkBooks } from './check-books';
import { openStage } from './stage';
import { tellStory } from './story';
import { createTally, type Tally } from './tally';

export type Failure = { seed: number; problems: string[]; trace: readonly string[] };
export type Simulation = { failures: Failure[]; tally: Tally };

/**
 * @param options the first seed, the number of stories, and how many run in parallel
 * @param onDone is called after each story
 */
export async function simulate(
  { from, count, atOnce }: { from: number; count: number; atOnce: number },
  onDone: (done: number, failure: Failure | null) => void = () => undefined,
): Promise<Simulation> {
  const tally = createTally();
  const failures: Failure[] = [];
  let next = from;
  let done = 0;
  await Promise.all(
    Array.from({ length: Math.min(atOnce, count) }, async () => {
      const stage = await openStage(tally);
      try {
        for (let seed = next++; seed < from + count; seed = next++) {
          const failure = toFailure(await simulateOne(stage, seed));
          if (failure) failures.push(failure);
          onDone((done += 1), failure);
        }
      } finally {
        await stage.close();
      }
    }),
  );
  return { failures: failures.sort((one, other) => one.seed - other.seed), tally };
}

function toFailure(failure: Failure): Failure | null {
  return failure.problems.length === 0 ? null : failure;
}

/** Runs one story. An error counts as a problem of its seed. */
export async function simulateOne(
  stage: Awaited<ReturnType<typeof openStage>>,
  seed: number,
): Promise<Failure> {
  const random = seededRandom(seed);
  const trace: string[] = [];
  try {
    const tale = await tellStory(await stage.clear(random), random, trace);
    return { seed, problems: await checkBooks(tale), trace };
  } catch (error) {
    return { seed, problems: [error instanceof Error ? (error.stack ?? error.message) : 'thrown'], trace };
  }
}
