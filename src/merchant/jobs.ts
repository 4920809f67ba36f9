// What has to run later, again, or on a schedule, over all processes of one database. The engine is graphile-worker;
// this is the only file that knows it. A job carries ids and nothing else: what is to be done stands in our own rows.

import { Logger as GraphileLogger, makeWorkerUtils, parseCronItems, run, runOnce } from 'graphile-worker';
import type { Runner, TaskList, WorkerUtils } from 'graphile-worker';
import { Pool } from 'pg';
import type { Logger } from './logger';

export type JobName =
  | 'check-payment'
  | 'check-open-notifications'
  | 'resolve-issuance'
  | 'resolve-open-issuances'
  | 'resolve-charge'
  | 'resolve-open-charges'
  | 'resolve-cancellation'
  | 'resolve-open-cancellations'
  | 'sweep';

/**
 * Plans one job. Of jobs with one key only one waits; planning it again keeps the earlier time. A job that is
 * running when its key is planned again runs once more afterwards.
 */
export type ScheduleJob = (
  task: JobName,
  payload: Record<string, string>,
  options: { key: string; runAt: Date },
) => Promise<void>;

/** `stopping` is aborted when this process stops: a task that may take long ends at its next good place. */
export type Task = (payload: unknown, stopping?: AbortSignal) => Promise<void>;
export type Tasks = Record<JobName, Task>;

/** What is put up at the start and then ever again, once over all processes. */
export type Recurring = { everyMinute: readonly JobName[]; everyFiveMinutes: readonly JobName[] };

export type Jobs = {
  schedule: ScheduleJob;
  /** Begins to run jobs. */
  start(tasks: Tasks, recurring: Recurring): Promise<void>;
  /** Runs the jobs that are due now, once: for tests and commands. */
  runDue(tasks: Tasks): Promise<void>;
  stop(): Promise<void>;
};

export function createJobs(databaseUrl: string, logger: Logger): Jobs {
  // A pool of its own: jobs and requests cannot starve each other.
  const pgPool = new Pool({ connectionString: databaseUrl, max: 6, connectionTimeoutMillis: 2500 });
  const connectionLost = (error: Error) => logger.warn({ err: error, event: 'jobs_connection_lost' });
  // A connection that breaks, idle or in use, must not end the process; the engine takes another.
  pgPool.on('error', connectionLost);
  pgPool.on('connect', (client) => client.on('error', connectionLost));
  const options = { pgPool, noHandleSignals: true, logger: quiet(logger) };
  let utils: Promise<WorkerUtils> | undefined;
  let runner: Runner | undefined;
  const stopping = new AbortController();

  const schedule: ScheduleJob = async (task, payload, { key, runAt }) => {
    utils ??= makeWorkerUtils(options).catch((error: unknown) => {
      utils = undefined;
      throw error;
    });
    await (await utils).addJob(task, payload, { jobKey: key, jobKeyMode: 'preserve_run_at', runAt });
  };

  return {
    schedule,
    async start(tasks, { everyMinute, everyFiveMinutes }) {
      const cron = [
        ...everyMinute.map((task) => ({ task, match: '* * * * *', identifier: task })),
        ...everyFiveMinutes.map((task) => ({ task, match: '*/5 * * * *', identifier: task })),
      ];
      runner = await run({
        ...options,
        concurrency: 4,
        pollInterval: 1000,
        taskList: taskList(tasks, stopping.signal),
        parsedCronItems: parseCronItems(cron),
      });
      for (const { task } of cron) await schedule(task, {}, { key: task, runAt: new Date(0) });
    },
    async runDue(tasks) {
      await runOnce({ ...options, taskList: taskList(tasks, stopping.signal) });
    },
    async stop() {
      stopping.abort();
      await runner?.stop();
      await (await utils)?.release();
      await pgPool.end();
    },
  };
}

function taskList(tasks: Tasks, stopping: AbortSignal): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, (payload) => task(payload, stopping)]),
  );
}

/** The engine's own remarks, without payloads: only warnings and errors, as one event each. */
function quiet(logger: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message) => {
    if (WORTH_A_LINE.has(level)) logger.warn({ event: 'jobs', detail: message.slice(0, 200) });
  });
}
const WORTH_A_LINE = new Set<string>(['error', 'warning']);
