// A key-in payment (§4.3) whose answer is lost, at a real process: a job polls the service for the outcome.

import { CARD } from '../support/cards';
import type { Rows } from '../support/rows';
import type { SandboxControls } from '../support/sandbox-controls';
import type { Merchant } from '../support/use-surroundings';

const PAY_ONETIME = 'POST /subscribe/payments/onetime';

export async function loseAnswer(
  api: Merchant['api'],
  sandbox: SandboxControls,
  merchantUid: string,
): Promise<void> {
  await sandbox.fault({ endpoint: PAY_ONETIME, kind: 'lost_response', times: 1 });
  const payment = { merchant_uid: merchantUid, name: 'Tea', amount: 1000, ...CARD };
  expect((await api('POST', '/api/onetime', payment)).status).toBe(202);
}

/** Resolves when a process has run the jobs of its start, which would poll at once. */
export async function jobsOfTheStart(rows: Rows): Promise<void> {
  await rows.waitFor(`select 1 from graphile_worker._private_known_crontabs limit 1`);
  await rows.waitFor(`select 1 where not exists (select from graphile_worker.jobs where run_at < now())`);
}

/** Puts off every job that is enqueued from now on, until the returned function is called. */
export async function holdJobs(rows: Rows): Promise<() => Promise<void>> {
  await rows.query(`create function put_off() returns trigger language plpgsql as
    'begin new.run_at = new.run_at + interval ''1 hour''; return new; end'`);
  await rows.query(`create trigger put_off before insert on graphile_worker._private_jobs
    for each row execute function put_off()`);
  return async () => {
    await rows.query('drop function put_off cascade');
    await rows.query(`update graphile_worker._private_jobs set run_at = now()
      where run_at > now() + interval '30 minutes'`);
  };
}
