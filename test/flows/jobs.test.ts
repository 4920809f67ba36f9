// A recurring job that is asked for does not wait for the queue, and a stop loses nothing of it.

import { setTimeout as pause } from 'node:timers/promises';
import { closeContext } from '../../src/merchant/platform/context';
import { openContext } from '../support/beside-world';
import { eventually } from '../support/eventually';
import { useWorld } from '../support/use-world';

const world = useWorld();
const JOB = { name: 'asked-for', crontab: '0 0 1 1 *', priority: 3 } as const;

test('a job that is asked for runs at once, also while it runs; a stop waits for it and leaves the rest to other processes', async () => {
  const { jobs, ...context } = openContext(world);
  const ends: (() => void)[] = [];
  const order: string[] = [];
  const run = () =>
    new Promise<void>((resolve) => ends.push(resolve)).then(() => void order.push('run ended'));
  await jobs.start([{ ...JOB, run }]);
  // Every recurring job runs at the start.
  await eventually(() => ends.length === 1);
  for (const runs of [2, 3]) {
    await jobs.runSoon(JOB);
    expect(ends).toHaveLength(runs);
  }
  const stopped = closeContext({ jobs, ...context }).then(() => order.push('stopped'));
  await jobs.runSoon(JOB);
  await pause(50);
  for (const end of ends) end();
  await stopped;
  expect(order).toEqual(['run ended', 'run ended', 'run ended', 'stopped']);
  const waiting = `select count(*)::int from graphile_worker.jobs where key = 'asked-for' and locked_at is null`;
  expect(await world.rows.query(waiting)).toEqual([{ count: 1 }]);
});

test('a process that runs no jobs leaves it to one that does', async () => {
  const { jobs, ...context } = openContext(world);
  await jobs.runSoon({ ...JOB, name: 'elsewhere' });
  await closeContext({ jobs, ...context });
  const waiting = `select key from graphile_worker.jobs where key = 'elsewhere'`;
  expect(await world.rows.query(waiting)).toHaveLength(1);
});
