// docs/sandbox.md begins with the ten calls that the sandbox shows, and says how each story ends.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultConfig } from '../../src/sandbox/config';
import { firstCalls } from '../../src/sandbox/console/first-calls';
import { en } from '../../src/sandbox/locales/en';
import { STORIES } from '../../src/sandbox/stories/stories';
import { finishStory, startStory } from '../../src/sandbox/stories/story-run';
import { API_KEY } from '../support/config';
import { runReconcileJob } from '../support/reconciliation';
import { ROOT } from '../support/shop-copy';
import { useWorld } from '../support/use-world';

const world = useWorld();
const read = (page: string) => readFileSync(join(ROOT, 'docs', page), 'utf8');
const sandboxPage = read('sandbox.md');

test('docs/sandbox.md begins with the ten calls that the sandbox itself shows', () => {
  const lines = firstCalls(defaultConfig, 'http://localhost:4010').map(({ line }) => line);
  expect(/```bash\n([\s\S]*?)```/.exec(sandboxPage)?.[1]?.trim()).toBe(lines.join('\n'));
});

test.each(STORIES)('docs/sandbox.md says how the story $name ends', async (story) => {
  const places = { sandboxUrl: world.sandbox.url, merchant: { url: world.url, apiKey: API_KEY } };
  const compareBooks = () => runReconcileJob(world);
  const run = startStory(story, places, { wait: world.advance, compareBooks });
  await finishStory(run);
  const ends: Record<string, string> = en.stories.stories[story.name].ends;
  // The last digits of a card that is made up are other ones each time.
  const asDocumented = (value: string) => value.replace(/^(.*\*-)\d{4}$/, '`$1…`');
  expect(documentedEnds(story.name)).toEqual(
    run.ending?.map(({ name, expected, came }) => [ends[name], asDocumented(expected), asDocumented(came)]),
  );
});

/** What the table says of a story: its rows, of which the first has its name. */
function documentedEnds(name: string): string[][] {
  const rows = sandboxPage.split('\n').map((line) => line.split('|').slice(1, -1));
  const cells = rows.map((row) => row.map((cell) => cell.trim()));
  const first = cells.findIndex((row) => row.length === 5 && row[0] === `\`${name}\``);
  const next = cells.findIndex((row, index) => index > first && row[0] !== '');
  return cells.slice(first, next === -1 ? undefined : next).map((row) => row.slice(2));
}
