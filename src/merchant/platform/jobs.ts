// Jobs that run later, again, or on a schedule, across all processes of one database. The engine is graphile-worker;
// only this file, job-pools.ts and job-store.ts know it. A job carries only ids: our own rows say what to do.

import { setMaxListeners } from 'node:events';
import {
  Logger as GraphileLogger,
  makeWorkerUtils,
  parseCronItems,
  run,
  runOnce,
  type Runner,
  type TaskList,
  type WorkerUtils,
} from 'graphile-worker';
import type { Clock } from './clock';
import { DatabaseError } from './errors';
import { openEnqueueingPool, openWorkingPool } from './job-pools';
import type { Logger } from './logger';

/** 0: finds out about money. 1: moves money or notifies the shop. 2: checks notifications. 3: the rest. */
type Priority = 0 | 1 | 2 | 3;

/**
 * A job with a crontab runs at the start and then at its times, once across all processes. Other jobs run when a use
 * case enqueues them. Of the due jobs, the lowest `priority` runs first. The feature of a job says what it does
 * (`feature.ts`).
 */
export type JobKind = { name: string; crontab: string | null; priority: Priority };
export type RecurringJob = JobKind & { crontab: string };

/** @param stopping is aborted when this process stops: a long task ends at the next safe point */
export type JobTask = (stopping: AbortSignal, payload: unknown) => Promise<void>;
/** A job and the function that it runs. */
export type Task = JobKind & { run: JobTask };

/** At most one pending job per key. It keeps its time unless it has failed meanwhile. */
const KEY_MODE = 'preserve_run_at' as const;

/**
 * One more than there are jobs that may take long. No job uses two of these places, so a poll for money finds a free
 * one even if the payment service hangs.
 */
const CONCURRENCY = 8;

export type Jobs = ReturnType<typeof createJobs>;

export function createJobs(databaseUrl: string, logger: Logger, realClock: Clock) {
  const stopping = new AbortController();
  // Each running job and each wait for a connection adds a listener.
  setMaxListeners(0, stopping.signal);
  const enqueueing = openEnqueueingPool(databaseUrl, logger);
  const working = openWorkingPool(databaseUrl, CONCURRENCY, logger, stopping.signal);
  const options = { pgPool: working, noHandleSignals: true, logger: quiet(logger) };
  let utils: Promise<WorkerUtils> | undefined;
  let runner: Runner | undefined;
  let recurring: (Task & RecurringJob)[] = [];
  /** Recurring jobs that run because they were asked for, not because their time has come. */
  const early = new Map<Promise<void>, RecurringJob>();

  /**
   * Enqueues one job. At most one pending job per key; it keeps the time it was first enqueued for. If a job is running
   * when its key is enqueued again, it runs once more afterwards. `runAt` is real time, as the engine's.
   * @throws DatabaseError
   */
  async function enqueue(
    { name, priority }: JobKind,
    payload: Record<string, string>,
    { key, runAt }: { key: string; runAt: Date },
  ): Promise<void> {
    const spec = { jobKey: key, jobKeyMode: KEY_MODE, runAt, priority };
    const add = async () => {
      try {
        utils ??= makeWorkerUtils({ ...options, pgPool: enqueueing });
        await (await utils.catch(forgetUtils)).addJob(name, payload, spec);
      } catch (error) {
        throw new DatabaseError((error as { code?: string }).code ?? 'unknown');
      }
    };
    // Idempotent because of the key, so it is safe to retry. After a timeout, the retry uses a new connection.
    await add().catch((error: DatabaseError) => {
      if (error.code !== 'ETIMEDOUT') throw error;
      return add();
    });
  }

  function forgetUtils(error: unknown): never {
    utils = undefined;
    throw error;
  }

  return {
    enqueue,

    /**
     * Runs a recurring job before its next time: at once in this process if it runs jobs, otherwise soon in one that
     * does. A row in the queue would cost more than the job itself under load. If a process dies, the crontab picks up
     * what it left.
     * @throws DatabaseError
     */
    async runSoon(job: RecurringJob): Promise<void> {
      const task = recurring.find(({ name }) => name === job.name);
      if (!runner || !task || stopping.signal.aborted)
        return enqueue(job, {}, { key: job.name, runAt: realClock.now() });
      const running = task
        .run(stopping.signal, {})
        .catch((error: unknown) => logger.warn({ event: 'jobs', detail: `${job.name} failed`, err: error }))
        .finally(() => early.delete(running));
      early.set(running, job);
    },

    async start(tasks: readonly Task[]): Promise<void> {
      recurring = tasks.filter((task): task is Task & RecurringJob => task.crontab !== null);
      // If an enqueue below has failed, this function is called again.
      runner ??= await run({
        ...options,
        concurrency: CONCURRENCY,
        pollInterval: 1000,
        taskList: toTaskList(tasks, stopping.signal),
        parsedCronItems: parseCronItems(
          recurring.map(({ name, crontab, priority }) => ({
            task: name,
            match: crontab,
            identifier: name,
            // A job that still waits, or has failed, is not enqueued a second time.
            options: { jobKey: name, jobKeyMode: KEY_MODE, priority },
          })),
        ),
      });
      for (const job of recurring) await enqueue(job, {}, { key: job.name, runAt: new Date(0) });
    },

    /** Runs the jobs that are due now, once. For tests. */
    async runDue(tasks: readonly Task[]): Promise<void> {
      const taskList = toTaskList(tasks, stopping.signal);
      await runOnce({ ...options, taskList });
      // The engine keeps its options for ever, and a run of tests opens hundreds of programs.
      for (const name of Object.keys(taskList)) Reflect.deleteProperty(taskList, name);
    },

    async stop(): Promise<void> {
      // The engine keeps its pools for ever, and they have this signal. The default reason is an error, whose stack keeps the program.
      stopping.abort('stopped');
      // Other processes take what these leave: it is enqueued after this process has stopped taking jobs.
      const left = new Set(early.values());
      await Promise.all([...early.keys(), runner?.stop()]);
      for (const job of left)
        await enqueue(job, {}, { key: job.name, runAt: new Date(0) }).catch((error: unknown) =>
          logger.warn({ event: 'jobs', detail: `${job.name} was not left to others`, err: error }),
        );
      // The engine does not await the statement that ends a job. It gets its connection one turn later, and the pool
      // waits for it.
      await new Promise((resolve) => setImmediate(resolve));
      await (await utils)?.release();
      await Promise.all([working.end(), enqueueing.end()]);
    },
  };
}

function toTaskList(tasks: readonly Task[], stopping: AbortSignal): TaskList {
  return Object.fromEntries(tasks.map(({ name, run }) => [name, (payload) => run(stopping, payload)]));
}

/** The engine's own messages, without payloads: only warnings and errors, one event each. */
function quiet(logger: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message) => {
    if (WORTH_A_LINE.has(level)) logger.warn({ event: 'jobs', detail: message.slice(0, 200) });
  });
}
const WORTH_A_LINE = new Set<string>(['error', 'warning']);
