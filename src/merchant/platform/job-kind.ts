// What a job is. Features say which jobs there are (`feature.ts`); `jobs.ts` enqueues and runs them.

export const EVERY_MINUTE = '* * * * *';
export const EVERY_FIVE_MINUTES = '*/5 * * * *';
/** 04:00 in Seoul. */
export const ONCE_A_DAY = '0 19 * * *';

/** What finds out about money, what moves it or tells the shop, what checks what was notified, and the rest. */
export type Priority = 0 | 1 | 2 | 3;

/**
 * One with a crontab runs at the start and then at its times, once over all processes; the others run when a use case
 * enqueues them. Of those that are due the lowest `priority` comes first. Its feature says what it does (`feature.ts`).
 */
export type JobKind = { name: string; crontab: string | null; priority: Priority };
export type RecurringJob = JobKind & { crontab: string };

/** @param stopping is aborted when this process stops: a task that may take long ends at its next good place */
export type JobTask = (stopping: AbortSignal, payload: unknown) => Promise<void>;
/** A job with what it does. */
export type Task = JobKind & { run: JobTask };
