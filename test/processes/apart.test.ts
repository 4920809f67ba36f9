// A process that only serves requests (--no-jobs), and one that only runs jobs (--jobs-only), on one database.

import { startMerchantProcess } from '../support/processes';
import { useSurroundings } from '../support/use-surroundings';

const around = useSurroundings();
const undelivered = 'select from event_deliveries where delivered_at is null';
const unpublished = 'select from events where position is null';

test('jobs run only in the jobs process, which only answers probes', async () => {
  const web = await around.startMerchant({}, { args: ['--no-jobs'] });
  const svcUid = await web.payOrder('apart-1');
  expect(await web.notify(svcUid, 'apart-1')).toEqual({ status: 200, outcome: 'recorded' });
  expect((await fetch(`${web.url}/readyz`)).status).toBe(200);
  // The event is written with the payment, but no process publishes it yet.
  expect(await around.rows.query(unpublished)).toHaveLength(1);

  const jobs = await around.startMerchant({}, { args: ['--jobs-only'] });
  await around.rows.waitFor(`select from event_deliveries where delivered_at is not null`);
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect((await fetch(`${jobs.url}${path}`)).status).toBe(200);
  expect((await jobs.api('GET', '/api/orders')).status).toBe(404);
  expect(await jobs.notify(svcUid, 'apart-1')).toMatchObject({ status: 404 });
  expect((await fetch(`${jobs.url}/cards`)).status).toBe(404);

  // A job that is enqueued there runs here within seconds.
  const next = await web.payOrder('apart-2');
  expect(await web.notify(next, 'apart-2')).toEqual({ status: 200, outcome: 'recorded' });
  await around.rows.waitFor(
    `select from event_deliveries where stream = 'apart-2' and delivered_at is not null`,
  );
  expect(await around.rows.query(undelivered)).toEqual([]);
});

test('an unknown argument is refused', async () => {
  const started = startMerchantProcess(around.environment, { args: ['--no-job'] });
  await expect(started).rejects.toThrow('--no-jobs, --jobs-only, or no argument');
});
