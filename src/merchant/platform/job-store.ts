// The rows of the job engine (graphile-worker), for those who run the server: the number of waiting jobs, and jobs that
// will not run again.

import type { Context } from './context';
import { DatabaseError, UNDEFINED_TABLE } from './errors';

export type JobFigures = {
  /** Due and not locked. */
  ready: number;
  locked: number;
  /** All tries have failed; there will be no other. */
  failed: number;
  /** Due time of the oldest ready job; null if there is none. */
  oldestDue: Date | null;
};

/** The engine has no tables before it first runs or enqueues a job. */
const NO_JOBS: JobFigures = { ready: 0, locked: 0, failed: 0, oldestDue: null };

/**
 * Counts at most 100,000 rows each. A finished job has no row, so the table is as long as the queue. A job enqueued for
 * a time in the past, as recurring jobs are at the start, counts as due since it was enqueued.
 * @throws DatabaseError
 */
export async function readJobFigures({ database }: Context, now: Date): Promise<JobFigures> {
  const rows = await ifThereAreTables(
    database.$queryRaw<JobFigures[]>`
      select ready.number as ready, ready.oldest as "oldestDue", taken.locked, taken.failed
      from (
        select count(*)::int as number, min(greatest(run_at, created_at)) as oldest from (
          select run_at, created_at from graphile_worker._private_jobs
          where is_available = true and run_at <= ${now} limit 100000) due
      ) ready, (
        select count(*) filter (where locked_at is not null)::int as locked,
          count(*) filter (where locked_at is null)::int as failed
        from (select locked_at from graphile_worker._private_jobs where is_available = false limit 100000) held
      ) taken`,
  );
  return rows?.[0] ?? NO_JOBS;
}

/**
 * Deletes jobs that will not run again, and returns how many. Either their tries are used up, or their process died and
 * they were enqueued again under their key, which uses up the tries of the old row. The engine's own clean-up keeps the
 * latter locked as long as it considers the process alive. Four hours is the engine's own limit for a locked job.
 * @throws DatabaseError
 */
export async function deleteDeadJobs({ database }: Context): Promise<number> {
  const deleted = await ifThereAreTables(
    database.$executeRaw`
      delete from graphile_worker._private_jobs
      where attempts >= max_attempts and (locked_at is null or locked_at < now() - interval '4 hours')`,
  );
  return deleted ?? 0;
}

/** Null if the engine has none yet. */
function ifThereAreTables<Result>(statement: Promise<Result>): Promise<Result | null> {
  return statement.catch((error: unknown) => {
    if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) return null;
    throw error;
  });
}
