// What examples/minimal does not survive: the stories that its README names run against it as `npm run story -- <name>
// --minimal` runs them, and show a difference. It survives every other one.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { API_KEY, startWorld } from '../../../examples/minimal/test-world';
import { STORIES } from '../../../src/sandbox/stories/stories';
import { finishStory, isGood, startStory } from '../../../src/sandbox/stories/story-run';
import { openForAll } from '../../../test/support/open-between';
import { createSandboxControls } from '../../../test/support/sandbox-controls';
import { ROOT } from '../../../test/support/shop-copy';

const world = openForAll(() => startWorld());
beforeAll(() =>
  createSandboxControls(world.sandboxUrl).settings({ webhook_url: `${world.url}/webhooks/payments` }),
);

const README = readFileSync(join(ROOT, 'examples', 'minimal', 'README.md'), 'utf8');
/** Of the table of chapters. */
const NAMED = new Set(
  [...README.matchAll(/^\| \d+\. .*\| +`([\w-]+)` +\| +\[`/gm)].map(([, story]) => story),
);

/** The example has no keys from the payment window. */
const RUN = STORIES.filter(({ needs }) => needs !== 'window-keys');

test.each(RUN.map((story) => [story.name, story] as const))('%s', async (name, story) => {
  const places = { sandboxUrl: world.sandboxUrl, merchant: { url: world.url, apiKey: API_KEY } };
  // Nothing of it happens later, so there is little to wait for.
  const run = startStory(story, places, { wait: (seconds) => pause(seconds * 100), goesOn: true });
  await finishStory(run);
  expect(run.failure).toBeNull();
  expect({ name, isGood: isGood(run), ending: run.ending }).toMatchObject({
    isGood: !NAMED.has(name),
  });
});
