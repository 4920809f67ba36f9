// Lets time pass in the database without waiting: moves all times of open rows into the past, and waits until the merchants' own
// jobs of every minute have processed them. It closes no row itself.

import { setTimeout as pause } from 'node:timers/promises';
import { FEATURES } from '../../../src/merchant/features';
import { eventually } from '../../../test/support/eventually';
import type { Rows } from '../../../test/support/rows';

/** $1 is the time that passes, in seconds. */
const SHIFTS = [
  `update notifications set received_at = received_at - $1 * interval '1 second',
     judged_at = judged_at - $1 * interval '1 second', next_attempt_at = next_attempt_at - $1 * interval '1 second'
   where next_attempt_at is not null`,
  // The service's clock decides when a schedule is due, so future schedules are not moved.
  `update charges set started_at = started_at - $1 * interval '1 second',
     schedule_at = case when schedule_at < now() then schedule_at - $1 * interval '1 second' else schedule_at end
   where status in ('pending', 'unknown', 'scheduled')`,
  `update refunds set started_at = started_at - $1 * interval '1 second' where status in ('pending', 'unknown')`,
  `update billing_key_issuances set started_at = started_at - $1 * interval '1 second'
   where status in ('pending', 'unknown')`,
  `update billing_keys set updated_at = updated_at - $1 * interval '1 second',
     removing_since = removing_since - $1 * interval '1 second' where status = 'removing'`,
  `update event_deliveries set next_attempt_at = next_attempt_at - $1 * interval '1 second'
   where next_attempt_at is not null`,
  `update service_pauses set until = until - $1 * interval '1 second'`,
  `update graphile_worker._private_jobs set run_at = run_at - $1 * interval '1 second' where is_available`,
];

/** Open rows as text, without future schedules. */
const OPEN = `
  select 'notification ' || id as open from notifications where next_attempt_at is not null or outcome is null
  union all select kind || ' charge ' || id || ' ' || status from charges where status in ('pending', 'unknown')
    or (status = 'scheduled' and schedule_at < now())
  union all select 'refund ' || id || ' ' || status from refunds where status in ('pending', 'unknown')
  union all select 'issuance ' || id || ' ' || status from billing_key_issuances where status in ('pending', 'unknown')
  union all select 'key ' || customer_uid || ' ' || status from billing_keys where status in ('pending', 'removing')
  union all select 'event ' || event_id || ' for ' || target from event_deliveries where delivered_at is null
  union all select 'unpublished event ' || id from events where position is null`;

const ROUND_SECONDS = 300;
const MOST_ROUNDS = 24;
const FIVE_HOURS_SECONDS = 18_000;
const RUN_WITHIN_MS = 60_000;
/** Done by the engine itself every ten minutes (graphile-worker, `resetLockedAt`). */
const FREED_BY_ENGINE = `update graphile_worker._private_jobs
  set locked_at = null, locked_by = null, run_at = greatest(run_at, now())
  where locked_at < now() - interval '4 hours'`;

export type Passed = {
  /** The rows that are still open. */
  open: string[];
  hours: number;
};

/** Ids of locked jobs. If no merchant is alive, all of them belong to killed ones. */
export async function findHeldJobs(rows: Rows): Promise<string[]> {
  const held = await rows.query<{ id: string }>(
    'select id::text from graphile_worker._private_jobs where locked_at is not null',
  );
  return held.map(({ id }) => id);
}

const EVERY_MINUTE = FEATURES.flatMap(({ jobs = [] }) => jobs).filter(
  ({ crontab }) => crontab === '* * * * *',
);

/** @param dead jobs locked by a killed merchant; they are not waited for */
export async function passTime(rows: Rows, dead: readonly string[]): Promise<Passed> {
  for (let round = 1; ; round += 1) {
    for (const { name } of EVERY_MINUTE) await addJob(rows, name);
    await waitForJobs(rows, dead);
    const open = (await rows.query<{ open: string }>(OPEN)).map((row) => row.open);
    if (open.length === 0 || round > MOST_ROUNDS)
      return { open, hours: ((round - 1) * ROUND_SECONDS) / 3600 };
    for (const shift of SHIFTS) await rows.query(shift, [ROUND_SECONDS]);
    await waitForJobs(rows, dead);
  }
}

/** Returns the jobs that are still locked after five hours and the daily clean-up. */
export async function findJobsHeldForEver(rows: Rows, dead: readonly string[]): Promise<string[]> {
  await rows.query(
    `update graphile_worker._private_jobs set locked_at = locked_at - $2 * interval '1 second'
     where id::text = any ($1) and locked_at is not null`,
    [dead, FIVE_HOURS_SECONDS],
  );
  await addJob(rows, 'delete-old-rows');
  await waitForJobs(rows, dead);
  await rows.query(FREED_BY_ENGINE);
  const held = () =>
    rows.query<{ job: string }>(
      `select j.id || ' ' || t.identifier || ' ' || coalesce(j.key, 'without a key') as job
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where j.id::text = any ($1)`,
      [dead],
    );
  await eventually(async () => (await held()).length === 0).catch(() => undefined);
  return (await held()).map(({ job }) => job);
}

const addJob = (rows: Rows, name: string) =>
  rows.query(`select graphile_worker.add_job($1, job_key => $1)`, [name]);

/** Waits until nothing is due and no living merchant has a locked job. */
async function waitForJobs(rows: Rows, dead: readonly string[]): Promise<void> {
  const until = performance.now() + RUN_WITHIN_MS;
  for (;;) {
    const [busy] = await rows.query(
      `select from graphile_worker._private_jobs
       where id::text <> all ($1) and (locked_at is not null or (is_available and run_at <= now())) limit 1`,
      [dead],
    );
    if (!busy) return;
    if (performance.now() > until) throw new Error(`jobs were not done within ${RUN_WITHIN_MS} ms`);
    await pause(50);
  }
}
