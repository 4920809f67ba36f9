// The environment of a test over HTTP: a merchant and a sandbox on free ports, their own database, and one clock.

import { FEATURES } from '../../src/merchant/features';
import { EVERY_MINUTE } from '../../src/merchant/platform/clock';
import { closeContext, createContext, type Context } from '../../src/merchant/platform/context';
import type { ShopFiles } from '../../src/merchant/platform/http/shop-files';
import { startMerchant } from '../../src/merchant/start-merchant';
import type { SandboxConfig } from '../../src/sandbox/config';
import { startSandbox } from '../../src/sandbox/start-sandbox';
import { ask } from './ask';
import { callApi, type ApiAnswer } from './calls';
import { createManualClock } from './clock';
import { NAME_PREFIX, testConfig, type TestConstants } from './config';
import { createRecordedLog } from './log';
import { createTestDatabase, type TestDatabase } from './postgres';
import { openRows } from './rows';
import { createSandboxControls } from './sandbox-controls';

export const SERVICE_ADDRESS = '52.78.100.19';
export const TEST_BUTTON_ADDRESS = '52.78.5.241';

export type World = Awaited<ReturnType<typeof startWorld>>;

export type NotifyOptions = { source?: string; form?: boolean; headers?: Record<string, string> };
export type WorldOptions = {
  environment?: Record<string, string>;
  namePrefix?: string;
  /** Settings of the sandbox other than port and prefix. */
  sandboxConfig?: Partial<SandboxConfig>;
  logLevel?: string;
  /** Without limits where absent. */
  constants?: TestConstants;
  /** In place of the shop's files as shipped. */
  shop?: Partial<ShopFiles>;
  /** Migrated and empty; made for this world if absent. */
  database?: TestDatabase;
  /** Returns the URL of a proxy between merchant and database. Rows are read without it. */
  databaseThrough?: (databaseUrl: string) => Promise<string>;
};

export async function startWorld(options: WorldOptions = {}) {
  const { environment = {}, namePrefix = NAME_PREFIX, logLevel = 'info', constants } = options;
  const { databaseThrough = (url: string) => Promise.resolve(url) } = options;
  const clock = createManualClock();
  const log = createRecordedLog(logLevel);
  const sandboxLog = createRecordedLog(logLevel);
  const database = options.database ?? (await createTestDatabase());
  const rows = openRows(database.url);
  const sandboxProcess = await startSandbox({
    config: { port: 0, namePrefix, ...options.sandboxConfig },
    clock: clock.nowMs,
    logger: sandboxLog.logger,
  });
  const sandbox = createSandboxControls(sandboxProcess.url);
  const startOptions = {
    config: testConfig(
      {
        DATABASE_URL: await databaseThrough(database.url),
        SERVICE_BASE_URL: sandboxProcess.url,
        SERVICE_V2_BASE_URL: sandboxProcess.url,
        SERVICE_NAME_PREFIX: namePrefix,
        ...environment,
      },
      constants,
    ),
    clock,
    logger: log.logger,
    role: null,
    ...(options.shop && { shop: options.shop }),
  };
  let merchant = await startMerchant(startOptions);
  let beside: Context | undefined;
  const world = {
    /** The merchant's address. */
    url: '',
    sandbox,
    clock,
    log,
    sandboxLog,
    rows,
    databaseUrl: database.url,
    /** Makes the database unreachable during an action: open connections are ended, new ones refused. */
    async withoutDatabase<T>(act: () => Promise<T>): Promise<T> {
      await database.setReachable(false);
      try {
        return await act();
      } finally {
        await database.setReachable(true);
      }
    },
    /** The service sends no notifications during an action. */
    async withoutNotifications<T>(act: () => Promise<T>): Promise<T> {
      await sandbox.settings({ webhook_url: null });
      try {
        return await act();
      } finally {
        await sandbox.settings({ webhook_url: `${world.url}/webhooks/payments` });
      }
    },
    /** The merchant's JSON API, with the key. */
    api: (method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
      callApi(world.url, method, path, body),
    /** Sends a notification as the service does, by default from one of its addresses through the reverse proxy. */
    async notify(
      body: unknown,
      { source = SERVICE_ADDRESS, form = false, headers = {} }: NotifyOptions = {},
    ): Promise<{ status: number; outcome: string | undefined }> {
      const wire = onTheWire(body, namePrefix);
      const answer = await ask(world.url, 'POST', '/webhooks/payments', {
        headers: {
          'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
          'x-forwarded-for': source,
          ...headers,
        },
        body: form ? new URLSearchParams(wire as Record<string, string>).toString() : JSON.stringify(wire),
      });
      return { status: answer.status, outcome: (answer.body as { outcome?: string }).outcome };
    },
    /** Moves time for both programs and runs the merchant's due jobs. */
    advance: (seconds: number): Promise<void> => advanceWith([LATE_JOB], seconds),
    /** Moves time and runs the merchant's jobs of every minute, as its job engine would. */
    runEveryMinute: (seconds = 0): Promise<void> => advanceWith(JOBS_OF_EVERY_MINUTE, seconds),
    /** The merchant's counters since its start, in the text format of Prometheus. */
    counters: (): Promise<string> => merchant.metrics.registry.metrics(),
    /** Removes pending jobs but not the rows that they process, as after kill -9. */
    async forgetJobs(): Promise<void> {
      await rows.query('delete from graphile_worker._private_jobs');
    },
    /** Another process with the same settings, for use cases that no route of the core has; opened when first used. */
    context: (): Context => (beside ??= createContext({ ...startOptions, features: FEATURES })),
    /** Stops the merchant and starts it again on the same database. */
    async restartMerchant(): Promise<void> {
      await merchant.close();
      merchant = await startMerchant(startOptions);
      await useMerchant();
    },
    async close(): Promise<void> {
      if (beside) await closeContext(beside);
      await merchant.close();
      await sandboxProcess.close();
      await rows.close();
      await database.drop();
    },
  };
  await useMerchant();
  return world;

  async function advanceWith(jobs: readonly string[], seconds: number): Promise<void> {
    clock.advance(seconds);
    await sandbox.advance(0);
    await rows.query(ADD_JOBS, [jobs]);
    // The job engine uses the database's time, so jobs that are due by our clock are made due, including those enqueued by jobs.
    while ((await rows.query(DUE_NOW, [clock.now()])).length > 0) await merchant.runDueJobs();
  }

  async function useMerchant(): Promise<void> {
    world.url = `http://127.0.0.1:${merchant.port}`;
    await sandbox.settings({ webhook_url: `${world.url}/webhooks/payments` });
  }
}

/** This job may run up to half a second late, so it is added whenever time moves. It is one of every minute. */
const LATE_JOB = 'retry-due-notifications';
const JOBS_OF_EVERY_MINUTE = FEATURES.flatMap((feature) => feature.jobs ?? [])
  .filter(({ crontab }) => crontab === EVERY_MINUTE)
  .map(({ name }) => name);

const ADD_JOBS = 'select graphile_worker.add_job(name) from unnest($1::text[]) as names (name)';
const DUE_NOW = `update graphile_worker._private_jobs set run_at = now() - interval '1 second'
  where run_at <= $1 and is_available returning id`;

/** Tests write bodies with the document's names; they are sent with the prefix of the live service. */
function onTheWire(body: unknown, prefix: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name.replace(/^svc_/, `${prefix}_`), value as unknown]),
  );
}
