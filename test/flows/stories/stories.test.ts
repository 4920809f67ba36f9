// Each story ends as expected, run over HTTP as a person would.

import { SANDBOX_CARD_LIMITS } from '../../../src/merchant/core/card-testing/card-limits';
import { STORIES } from '../../../src/sandbox/stories/stories';
import { finishStory, isGood, startStory } from '../../../src/sandbox/stories/story-run';
import { API_KEY } from '../../support/config';
import { runReconcileJob } from '../../support/reconciliation';
import { useWorld } from '../../support/use-world';

const world = useWorld({ constants: { cardLimits: SANDBOX_CARD_LIMITS } });

const places = () => ({ sandboxUrl: world.sandbox.url, merchant: { url: world.url, apiKey: API_KEY } });

test.each(STORIES.map((story) => [story.name, story] as const))('%s', async (_, story) => {
  const run = startStory(story, places(), {
    wait: world.advance,
    compareBooks: () => runReconcileJob(world),
  });
  await finishStory(run);
  expect(run.failure).toBeNull();
  expect(run.ending?.map(({ came }) => came)).toEqual(run.ending?.map(({ expected }) => expected));
  expect(run.ending?.length).toBeGreaterThan(2);
  expect(isGood(run)).toBe(true);
  expect(run.done.flatMap(({ calls }) => calls.map(({ curl }) => curl)).join('\n')).not.toContain(API_KEY);
});
