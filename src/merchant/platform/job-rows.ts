// The rows of the job engine (graphile-worker) as the people who run the server see them: how many wait, and those that
// nobody runs any more.

import type { Pool } from 'pg';
import { DatabaseError, UNDEFINED_TABLE } from './errors';

export type JobFigures = {
  /** Due, and in nobody's hand. */
  ready: number;
  locked: number;
  /** Every try has failed, and no other follows. */
  failed: number;
  /** Since when the oldest that is ready is due; null where none is. */
  oldestDue: Date | null;
};

/** Before the engine has run or enqueued anything, it has no tables. */
const NO_JOBS: JobFigures = { ready: 0, locked: 0, failed: 0, oldestDue: null };

/**
 * Of at most 100,000 rows each. A job that is done has none, so the table is as long as the queue. A job that was enqueued
 * for a time in the past, as the recurring ones are at the start, is due since it was enqueued.
 */
const FIGURES = `
  select ready.number as ready, ready.oldest as "oldestDue", taken.locked, taken.failed
  from (
    select count(*)::int as number, min(greatest(run_at, created_at)) as oldest from (
      select run_at, created_at from graphile_worker._private_jobs
      where is_available = true and run_at <= $1 limit 100000) due
  ) ready, (
    select count(*) filter (where locked_at is not null)::int as locked,
      count(*) filter (where locked_at is null)::int as failed
    from (select locked_at from graphile_worker._private_jobs where is_available = false limit 100000) held
  ) taken`;

/** Four hours are the engine's own limit for a job in hand. */
const DELETE_DEAD = `delete from graphile_worker._private_jobs
  where attempts >= max_attempts and (locked_at is null or locked_at < now() - interval '4 hours')`;

/** @throws DatabaseError */
export async function readJobFigures(pool: Pool, now: Date): Promise<JobFigures> {
  const rows = await query<JobFigures>(pool, FIGURES, [now]);
  return rows?.rows[0] ?? NO_JOBS;
}

/**
 * Deletes the rows of jobs that nobody runs any more, and returns how many: their attempts are used up, or a process died
 * with them in hand and they were enqueued again under their key, which uses up the attempts of the old row. The engine's
 * own clean-up leaves the latter locked for as long as it believes the process to be alive.
 * @throws DatabaseError
 */
export async function deleteDeadJobs(pool: Pool): Promise<number> {
  return (await query(pool, DELETE_DEAD))?.rowCount ?? 0;
}

/** Returns null where the tables are not there yet. */
async function query<Row extends object>(pool: Pool, sql: string, values: unknown[] = []) {
  try {
    return await pool.query<Row>(sql, values);
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    if (code === UNDEFINED_TABLE) return null;
    throw new DatabaseError(code);
  }
}
