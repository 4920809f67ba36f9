// A story fails where the merchant does something else than it should. How the six end with ours is in test/flows/stories.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forgedAmount } from '../../src/sandbox/stories/notification-stories';
import { finishStory, isGood, startStory } from '../../src/sandbox/stories/story-run';
import { useSandbox } from '../support/running-sandbox';

const service = useSandbox();

async function play(merchantUrl: string) {
  const merchant = { url: merchantUrl, apiKey: 'key' };
  const run = startStory(forgedAmount, { sandboxUrl: service.url, merchant });
  await finishStory(run);
  return run;
}

test('a merchant that believes what it is told does not pass', async () => {
  const gullible = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"paid","payments":[{}]}'),
  );
  await new Promise<void>((resolve) => gullible.listen(0, '127.0.0.1', resolve));
  const run = await play(`http://127.0.0.1:${(gullible.address() as AddressInfo).port}`);
  expect([run.failure, isGood(run)]).toEqual([null, false]);
  expect(run.ending).toContainEqual({ name: 'order', expected: 'open', came: 'paid' });
  gullible.closeAllConnections();
  gullible.close();
});

test('a merchant that is not there ends the story with a reason, and nothing is tried after it', async () => {
  const run = await play('http://127.0.0.1:1');
  expect([run.failure !== null, run.done, isGood(run)]).toEqual([true, [], false]);
});
