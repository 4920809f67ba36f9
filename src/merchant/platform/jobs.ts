// What has to run later, again, or on a schedule, over all processes of one database. The engine is graphile-worker; this
// file, job-pools.ts and job-rows.ts alone know it. A job carries ids and nothing else: what is to be done stands in our
// own rows.

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
import { deleteDeadJobs, readJobFigures } from './job-rows';
import type { Logger } from './logger';

/** What finds out about money, what moves it or tells the shop, what checks what was notified, and the rest. */
type Priority = 0 | 1 | 2 | 3;

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

/** At most one pending job per key. It keeps its time unless it has failed meanwhile. */
const KEY_MODE = 'preserve_run_at' as const;

/**
 * As many as there are jobs that may take long, and one more. None of those gains from a second place, so that a poll for
 * money finds a free one, also where the payment service hangs.
 */
const CONCURRENCY = 8;

export type Jobs = ReturnType<typeof createJobs>;

/** A time to run at is by `clock`; the engine runs a job by `databaseClock`, after as long as there is until then. */
type JobClocks = { clock: Clock; databaseClock: Clock };

export function createJobs(databaseUrl: string, logger: Logger, { clock, databaseClock }: JobClocks) {
  const stopping = new AbortController();
  // Each job and each connection that is waited for listens.
  setMaxListeners(0, stopping.signal);
  const enqueueing = openEnqueueingPool(databaseUrl, logger);
  const working = openWorkingPool(databaseUrl, CONCURRENCY, logger, stopping.signal);
  const options = { pgPool: working, noHandleSignals: true, logger: quiet(logger) };
  let utils: Promise<WorkerUtils> | undefined;
  let runner: Runner | undefined;
  let recurring: (Task & RecurringJob)[] = [];
  /** Null where this process runs no jobs. */
  let runHere: ReturnType<typeof createSoon> | null = null;

  /**
   * Enqueues one job. Of jobs with one key only one waits, and it keeps the time it was first enqueued for. A job that
   * is running when its key is enqueued again runs once more afterwards.
   * @throws DatabaseError
   */
  async function enqueue(
    { name, priority }: JobKind,
    payload: Record<string, string>,
    { key, runAt }: { key: string; runAt: Date },
  ): Promise<void> {
    const delayMs = runAt.getTime() - clock.now().getTime();
    const dueAt = new Date(databaseClock.now().getTime() + delayMs);
    const spec = { jobKey: key, jobKeyMode: KEY_MODE, runAt: dueAt, priority };
    const add = () => withUtils((each) => each.addJob(name, payload, spec));
    // Idempotent because of the key, so it is safe to retry. Where a connection was silent, a new one is taken.
    await add().catch((error: DatabaseError) => {
      if (error.code !== 'ETIMEDOUT') throw error;
      return add();
    });
  }

  async function withUtils<Result>(use: (utils: WorkerUtils) => Promise<Result>): Promise<Result> {
    try {
      utils ??= makeWorkerUtils({ ...options, pgPool: enqueueing });
      return await use(await utils.catch(forgetUtils));
    } catch (error) {
      throw new DatabaseError((error as { code?: string }).code ?? 'unknown');
    }
  }

  function forgetUtils(error: unknown): never {
    utils = undefined;
    throw error;
  }

  return {
    enqueue,

    /**
     * Runs a recurring job soon: here, where this process runs jobs, and otherwise wherever one does. Calls that come at the
     * same time are one run. Its crontab finds what is left behind by a process that dies.
     * @throws DatabaseError
     */
    async runSoon(job: RecurringJob, now: Date): Promise<void> {
      if (runHere) runHere.ask(job.name);
      else await enqueue(job, {}, { key: job.name, runAt: now });
    },

    /** Of jobs that nobody runs any more; returns how many. @throws DatabaseError */
    deleteDead: () => deleteDeadJobs(enqueueing),

    /** For `/metrics`. @throws DatabaseError */
    readFigures: (now: Date) => readJobFigures(enqueueing, now),

    /** Begins to run jobs. */
    async start(tasks: readonly Task[]): Promise<void> {
      recurring = tasks.filter((task): task is Task & RecurringJob => task.crontab !== null);
      // Where an enqueue below has failed, this is called again.
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
            // One that still waits, or has failed, is not enqueued beside itself.
            options: { jobKey: name, jobKeyMode: KEY_MODE, priority },
          })),
        ),
      });
      runHere ??= createSoon(async (name) => {
        await recurring.find((job) => job.name === name)?.run(stopping.signal, {});
      }, logger);
      for (const job of recurring) await enqueue(job, {}, { key: job.name, runAt: new Date(0) });
    },

    /** Runs the jobs that are due now, once: for tests. */
    async runDue(tasks: readonly Task[]): Promise<void> {
      await runOnce({ ...options, taskList: toTaskList(tasks, stopping.signal) });
    },

    async stop(): Promise<void> {
      stopping.abort();
      // What is left is for the others: it is enqueued when nobody here takes jobs any more.
      const [left] = await Promise.all([runHere?.stop() ?? ([] as string[]), runner?.stop()]);
      for (const job of recurring.filter(({ name }) => left.includes(name)))
        await enqueue(job, {}, { key: job.name, runAt: new Date(0) });
      // The engine does not await the statement that ends a job. It has its connection a turn later, and the pool waits for it.
      await new Promise((resolve) => setImmediate(resolve));
      await (await utils)?.release();
      await Promise.all([working.end(), enqueueing.end()]);
    },
  };
}

function toTaskList(tasks: readonly Task[], stopping: AbortSignal): TaskList {
  return Object.fromEntries(tasks.map(({ name, run }) => [name, (payload) => run(stopping, payload)]));
}

/** The engine's own messages, without payloads: only warnings and errors, as one event each. */
function quiet(logger: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message) => {
    if (WORTH_A_LINE.has(level)) logger.warn({ event: 'jobs', detail: message.slice(0, 200) });
  });
}
const WORTH_A_LINE = new Set<string>(['error', 'warning']);

/** Calls within this time are one run. */
const COLLECT_MS = 50;

/**
 * Runs a recurring job early, debounced, in this process without a row in the queue of jobs: under load that row would cost more
 * than what the job does.
 * @param runJob what fails is run again at its next time
 */
export function createSoon(runJob: (name: string) => Promise<void>, logger: Logger) {
  const asked = new Map<string, NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();

  function run(name: string): void {
    asked.delete(name);
    const running = runJob(name)
      .catch((error: unknown) => logger.warn({ event: 'jobs', detail: `${name} failed`, err: error }))
      .finally(() => underWay.delete(running));
    underWay.add(running);
  }

  return {
    /** Returns at once. */
    ask(name: string): void {
      if (!asked.has(name)) asked.set(name, setTimeout(run, COLLECT_MS, name));
    },

    /** Waits for what runs, and returns what was asked for and is not begun any more. */
    async stop(): Promise<string[]> {
      const left = [...asked.keys()];
      for (const timer of asked.values()) clearTimeout(timer);
      asked.clear();
      await Promise.all(underWay);
      return left;
    },
  };
}
