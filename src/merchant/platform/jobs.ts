// What has to run later, again, or on a schedule, over all processes of one database. The engine is graphile-worker; this
// file, job-pools.ts and job-rows.ts alone know it. A job carries ids and nothing else: what is to be done stands in our
// own rows.

import { setMaxListeners } from 'node:events';
import { Logger as GraphileLogger, makeWorkerUtils, parseCronItems, run, runOnce } from 'graphile-worker';
import type { Runner, TaskList, WorkerUtils } from 'graphile-worker';
import type { Clock } from './clock';
import { DatabaseError } from './errors';
import { openEnqueueingPool, openWorkingPool } from './job-pools';
import { deleteDeadJobs, readJobFigures } from './job-rows';
import type { Logger } from './logger';
import { createSoon } from './run-soon';

/** Of a key one job waits; it keeps its time unless it has failed meanwhile. */
const KEY_MODE = 'preserve_run_at' as const;

const EVERY_MINUTE = '* * * * *';
/** 04:00 in Seoul. */
const ONCE_A_DAY = '0 19 * * *';
const EVERY_FIVE_MINUTES = '*/5 * * * *';

/**
 * Every job. One with a crontab runs at the start and then at its times, once over all processes; the others run when
 * a use case enqueues them. Of those that are due the lowest `priority` comes first: what finds out about money, what
 * moves it or tells the shop, what checks what was notified, and the rest. `tasks.ts` says what each does, and fails to
 * compile while one is missing.
 */
export const JOBS = {
  /** One poll for the outcome of an issuance, a charge or a refund. */
  'recover-attempt': { crontab: null, priority: 0 },
  /** Finds issuances, charges and refunds without a job. */
  'recover-unresolved-attempts': { crontab: EVERY_MINUTE, priority: 0 },
  /** One more try for every card removal that was not finished. */
  'recover-removals': { crontab: EVERY_MINUTE, priority: 1 },
  /** Takes subscriptions as far as they can go: what was paid is renewed, what failed is tried again. */
  'advance-subscriptions': { crontab: EVERY_MINUTE, priority: 1 },
  /** One more try for every erasure of a member that was not finished. */
  'finish-erasures': { crontab: EVERY_MINUTE, priority: 1 },
  /** Delivers events of orders, new ones and those whose next attempt is due. */
  'deliver-events': { crontab: EVERY_MINUTE, priority: 1 },
  /** Checks open notifications whose next attempt is due, until none is. */
  'retry-due-notifications': { crontab: EVERY_MINUTE, priority: 2 },
  /** Tries one notification of many that wait for a service that does not answer. */
  'probe-service': { crontab: null, priority: 2 },
  /** The service answers again: what waits for it is due. */
  'resume-notifications': { crontab: null, priority: 2 },
  /** Finds payments whose notification never came (§6.1, §6.3, §6.5). */
  reconcile: { crontab: EVERY_FIVE_MINUTES, priority: 3 },
  /** Deletes the counts of card attempts that are over. */
  'forget-card-attempts': { crontab: EVERY_FIVE_MINUTES, priority: 3 },
  /** Deletes what has been kept for as long as `KEEP_NOTIFICATIONS_DAYS` says. */
  'delete-old-rows': { crontab: ONCE_A_DAY, priority: 3 },
} as const satisfies Record<string, { crontab: string | null; priority: number }>;

/**
 * As many as there are jobs that may take long, and one more. None of those gains from a second place, so that a poll for
 * money finds a free one, also where the payment service hangs.
 */
const CONCURRENCY = 8;

export type JobName = keyof typeof JOBS;
export type RecurringJob = {
  [Name in JobName]: (typeof JOBS)[Name]['crontab'] extends string ? Name : never;
}[JobName];

/** @param stopping is aborted when this process stops: a task that may take long ends at its next good place */
export type Task = (payload: unknown, stopping: AbortSignal) => Promise<void>;
export type Tasks = Record<JobName, Task>;

export type Jobs = ReturnType<typeof createJobs>;

/** @param clock by which a job is enqueued: the engine runs it by the database's */
export function createJobs(databaseUrl: string, logger: Logger, clock: Pick<Clock, 'toHostTime'>) {
  const stopping = new AbortController();
  // Each job and each connection that is waited for listens.
  setMaxListeners(0, stopping.signal);
  const enqueueing = openEnqueueingPool(databaseUrl, logger);
  const working = openWorkingPool(databaseUrl, CONCURRENCY, logger, stopping.signal);
  const options = { pgPool: working, noHandleSignals: true, logger: quiet(logger) };
  let utils: Promise<WorkerUtils> | undefined;
  let runner: Runner | undefined;
  /** Null where this process runs no jobs. */
  let runHere: ReturnType<typeof createSoon<RecurringJob>> | null = null;

  /**
   * Enqueues one job. Of jobs with one key only one waits, and it keeps the time it was first enqueued for. A job that
   * is running when its key is enqueued again runs once more afterwards.
   * @throws DatabaseError
   */
  async function enqueue(
    name: JobName,
    payload: Record<string, string>,
    { key, runAt }: { key: string; runAt: Date },
  ): Promise<void> {
    const { priority } = JOBS[name];
    const hostTime = clock.toHostTime?.(runAt) ?? runAt;
    const spec = { jobKey: key, jobKeyMode: KEY_MODE, runAt: hostTime, priority };
    const add = () => withUtils((each) => each.addJob(name, payload, spec));
    // With a key, twice is as good as once: where a connection was silent, a new one is taken.
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
    async runSoon(name: RecurringJob, now: Date): Promise<void> {
      if (runHere) runHere.ask(name);
      else await enqueue(name, {}, { key: name, runAt: now });
    },

    /** Of jobs that nobody runs any more; returns how many. @throws DatabaseError */
    deleteDead: () => deleteDeadJobs(enqueueing),

    /** For `/metrics`. @throws DatabaseError */
    readFigures: (now: Date) => readJobFigures(enqueueing, now),

    /** Begins to run jobs. */
    async start(tasks: Tasks): Promise<void> {
      const recurring = Object.entries(JOBS).flatMap(([name, { crontab, priority }]) =>
        crontab === null
          ? []
          : [
              {
                task: name as JobName,
                match: crontab,
                identifier: name,
                // One that still waits, or has failed, is not enqueued beside itself.
                options: { jobKey: name, jobKeyMode: KEY_MODE, priority },
              },
            ],
      );
      // Where an enqueue below has failed, this is called again.
      runner ??= await run({
        ...options,
        concurrency: CONCURRENCY,
        pollInterval: 1000,
        taskList: toTaskList(tasks, stopping.signal),
        parsedCronItems: parseCronItems(recurring),
      });
      runHere ??= createSoon((name) => tasks[name]({}, stopping.signal), logger);
      for (const { task } of recurring) await enqueue(task, {}, { key: task, runAt: new Date(0) });
    },

    /** Runs the jobs that are due now, once: for tests. */
    async runDue(tasks: Tasks): Promise<void> {
      await runOnce({ ...options, taskList: toTaskList(tasks, stopping.signal) });
    },

    async stop(): Promise<void> {
      stopping.abort();
      // What is left is for the others: it is enqueued when nobody here takes jobs any more.
      const [left] = await Promise.all([runHere?.stop() ?? [], runner?.stop()]);
      for (const name of left) await enqueue(name, {}, { key: name, runAt: new Date(0) });
      // The engine does not await the statement that ends a job. It has its connection a turn later, and the pool waits for it.
      await new Promise((resolve) => setImmediate(resolve));
      await (await utils)?.release();
      await Promise.all([working.end(), enqueueing.end()]);
    },
  };
}

function toTaskList(tasks: Tasks, stopping: AbortSignal): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, (payload) => task(payload, stopping)]),
  );
}

/** The engine's own messages, without payloads: only warnings and errors, as one event each. */
function quiet(logger: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message) => {
    if (WORTH_A_LINE.has(level)) logger.warn({ event: 'jobs', detail: message.slice(0, 200) });
  });
}
const WORTH_A_LINE = new Set<string>(['error', 'warning']);
