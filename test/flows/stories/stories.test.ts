// Six ways in which a payment goes wrong: each story ends as it was expected to, told over HTTP as a person tells it.

import { STORIES } from '../../../src/sandbox/stories/stories';
import { finishStory, isGood, startStory } from '../../../src/sandbox/stories/story-run';
import { API_KEY } from '../../support/config';
import { runReconcileJob } from '../../support/reconciliation';
import { useWorld } from '../../support/use-world';

const world = useWorld();

test.each(STORIES.map((story) => [story.name, story] as const))('%s', async (_, story) => {
  const places = { sandboxUrl: world.sandbox.url, merchant: { url: world.url, apiKey: API_KEY } };
  const run = startStory(story, places, {
    wait: world.advance,
    compareBooks: () => runReconcileJob(world),
  });
  await finishStory(run);
  expect(run.failure).toBeNull();
  expect(run.ending?.map(({ name, came }) => [name, came])).toEqual(
    run.ending?.map(({ name, expected }) => [name, expected]),
  );
  expect(run.ending?.length).toBeGreaterThan(2);
  expect(isGood(run)).toBe(true);
  expect(run.done.flatMap(({ calls }) => calls.map(({ curl }) => curl)).join('\n')).not.toContain(API_KEY);
});

test('without the comparison of the books, the missed notification is found by a look at the payment', async () => {
  const story = STORIES.find(({ name }) => name === 'missed-notification');
  const places = { sandboxUrl: world.sandbox.url, merchant: { url: world.url, apiKey: API_KEY } };
  const run = startStory(story ?? STORIES[0]!, places, { wait: world.advance });
  await finishStory(run);
  expect(isGood(run)).toBe(true);
});
