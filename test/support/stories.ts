// The stories of the sandbox, run over HTTP as a person would.

import type { Story } from '../../src/sandbox/stories/story';
import { finishStory, isGood, startStory } from '../../src/sandbox/stories/story-run';
import { API_KEY } from './config';
import { runReconcileJob } from './reconciliation';
import type { World } from './world';

export async function expectGoodEnding(world: World, story: Story): Promise<void> {
  const places = { sandboxUrl: world.sandbox.url, merchant: { url: world.url, apiKey: API_KEY } };
  const run = startStory(story, places, {
    wait: world.advance,
    compareBooks: () => runReconcileJob(world),
  });
  await finishStory(run);
  expect(run.failure).toBeNull();
  expect(run.ending?.map(({ came }) => came)).toEqual(run.ending?.map(({ expected }) => expected));
  expect(run.ending?.length).toBeGreaterThan(2);
  expect(isGood(run)).toBe(true);
  expect(run.done.flatMap(({ calls }) => calls.map(({ curl }) => curl)).join('\n')).not.toContain(API_KEY);
}
