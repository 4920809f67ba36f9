// Six ways in which a payment goes wrong: each story ends as it was expected to and as docs/sandbox.md says, told over HTTP as
// a person tells it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { en } from '../../../src/sandbox/locales/en';
import { STORIES } from '../../../src/sandbox/stories/stories';
import { finishStory, isGood, startStory } from '../../../src/sandbox/stories/story-run';
import { API_KEY } from '../../support/config';
import { runReconcileJob } from '../../support/reconciliation';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const reference = readFileSync(join(__dirname, '../../../docs/sandbox.md'), 'utf8');

/** What the table of the reference says of a story: its rows, of which the first has its name. */
function documentedEnds(name: string): string[][] {
  const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());
  const rows = reference.split('\n').map((line) => cellsOf(line).slice(1, -1));
  const first = rows.findIndex((row) => row.length === 5 && row[0] === `\`${name}\``);
  const next = rows.findIndex((row, index) => index > first && row[0] !== '');
  return rows.slice(first, next === -1 ? undefined : next).map((row) => row.slice(2));
}

/** The last digits of a card that is made up are other ones each time. */
const asDocumented = (value: string) => value.replace(/^(.*\*-)\d{4}$/, '`$1…`');

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
  const ends: Record<string, string> = en.stories.stories[story.name].ends;
  expect(documentedEnds(story.name)).toEqual(
    run.ending?.map(({ name, expected, came }) => [ends[name], asDocumented(expected), asDocumented(came)]),
  );
  expect(run.done.flatMap(({ calls }) => calls.map(({ curl }) => curl)).join('\n')).not.toContain(API_KEY);
});
