// Requested jobs run soon, one run of each at a time, and a stop waits for them.

import { createSoon } from '../../../src/merchant/platform/jobs';
import { eventually } from '../../support/eventually';
import { createRecordedLog } from '../../support/log';

test('a job that is requested several times runs once, and once more if it is requested while it runs', async () => {
  const ends: (() => void)[] = [];
  const job = () => new Promise<void>((resolve) => ends.push(resolve));
  const soon = createSoon(job, createRecordedLog().logger);
  for (const runs of [1, 2]) {
    soon.ask('one');
    soon.ask('one');
    await eventually(() => ends.length === runs);
  }
  for (const end of ends) end();
  expect(await soon.stop()).toEqual([]);
  expect(ends).toHaveLength(2);
});

test('a stop waits for running jobs and returns those that have not begun', async () => {
  const ran: string[] = [];
  let end: () => void = () => undefined;
  const soon = createSoon(async (name: string) => {
    ran.push(name);
    await new Promise<void>((resolve) => (end = resolve));
    ran.push(`${name} ended`);
  }, createRecordedLog().logger);
  soon.ask('first');
  await eventually(() => ran.length === 1);
  soon.ask('second');
  const stopped = soon.stop();
  end();
  expect(await stopped).toEqual(['second']);
  expect(ran).toEqual(['first', 'first ended']);
});
