// Each story ends as expected. Those that need a route of an option are in its folder.

import { closedWindow } from '../../../src/sandbox/stories/closed-window';
import { STORIES } from '../../../src/sandbox/stories/stories';
import { finishStory, startStory } from '../../../src/sandbox/stories/story-run';
import { API_KEY } from '../../support/config';
import { expectGoodEnding } from '../../support/stories';
import { useWorld } from '../../support/use-world';

const world = useWorld();

test.each(STORIES.filter(({ needs }) => needs === undefined).map((story) => [story.name, story] as const))(
  '%s',
  (_, story) => expectGoodEnding(world, story),
);

test('a story for which the merchant lacks an option names it, and does nothing', async () => {
  // The sandbox has none of the merchant's routes.
  const merchant = { url: world.sandbox.url, apiKey: API_KEY };
  const run = startStory(closedWindow, { sandboxUrl: world.sandbox.url, merchant });
  await finishStory(run);
  expect(run).toMatchObject({ missing: 'window-keys', failure: null, ending: null, done: [] });
});
