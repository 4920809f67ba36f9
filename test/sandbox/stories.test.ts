// The stories are told in both languages, say so when something is different, and are refused where no merchant is known.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { en } from '../../src/sandbox/locales/en';
import { ko } from '../../src/sandbox/locales/ko';
import { STORIES } from '../../src/sandbox/stories/stories';
import { STORY_NAMES } from '../../src/sandbox/stories/story';
import { finishStory, isGood, startStory } from '../../src/sandbox/stories/story-run';
import { useSandbox } from '../support/running-sandbox';

const service = useSandbox();

async function play(name: string, merchantUrl: string) {
  const story = STORIES.find((each) => each.name === name) ?? STORIES[0]!;
  const merchant = { url: merchantUrl, apiKey: 'key' };
  const run = startStory(story, { sandboxUrl: service.url, merchant });
  await finishStory(run);
  return run;
}

test('each of the six has a sentence for each of its steps', () => {
  expect(STORIES.map(({ name }) => name)).toEqual([...STORY_NAMES]);
  for (const { stories } of [ko.stories, en.stories])
    for (const { name, steps } of STORIES)
      expect([name, Object.keys(stories[name].steps)]).toEqual([name, steps.map((step) => step.name)]);
});

test('a merchant that believes what it is told does not pass', async () => {
  const gullible = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"paid","payments":[{}]}'),
  );
  await new Promise<void>((resolve) => gullible.listen(0, '127.0.0.1', resolve));
  const run = await play('forged-amount', `http://127.0.0.1:${(gullible.address() as AddressInfo).port}`);
  expect([run.failure, isGood(run)]).toEqual([null, false]);
  expect(run.ending).toContainEqual({ name: 'order', expected: 'open', came: 'paid' });
  gullible.closeAllConnections();
  gullible.close();
});

test('a merchant that is not there ends the story with a reason, and nothing is tried after it', async () => {
  const run = await play('duplicate', 'http://127.0.0.1:1');
  expect([run.failure !== null, run.done, isGood(run)]).toEqual([true, [], false]);
});

test('the page of a story says what to do where no merchant is known', async () => {
  const list = await service.call('GET', '/console/stories?lang=en');
  for (const name of STORY_NAMES) expect(list.text).toContain(`/console/stories/${name}?`);
  const page = await service.call('GET', '/console/stories/duplicate?lang=en');
  expect(page.text).toContain('SANDBOX_MERCHANT_API_KEY');
  expect((await service.call('POST', '/console/stories/duplicate', new URLSearchParams())).status).toBe(409);
  expect((await service.call('GET', '/console/stories/nothing')).status).toBe(404);
});
