// Brings the merchant up on a port and takes it down again: for the process in server.ts, and for tests.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app';
import type { Clock } from './clock';
import type { Config } from './config';
import { openDatabase } from './database';
import { createJobs, type JobName } from './jobs';
import type { Logger } from './logger';
import { createMetrics } from './metrics';
import { createPaymentService } from './payment-service/payment-service';
import { createWireNames } from './payment-service/wire-names';
import { createReadiness } from './readiness';

export type RunningMerchant = {
  port: number;
  /** Runs the jobs that are due, once. */
  runDueJobs(): Promise<void>;
  /** Takes no more requests, lets those under way finish, then lets go of everything. */
  close(): Promise<void>;
};

export type StartOptions = {
  config: Config;
  clock: Clock;
  logger: Logger;
  /** False in tests, which run due jobs themselves. */
  runJobs: boolean;
};

/** Looks for what a crash left behind, once a minute over all processes. */
export const EVERY_MINUTE: readonly JobName[] = [
  'check-open-notifications',
  'resolve-open-issuances',
  'resolve-open-charges',
  'resolve-open-cancellations',
];

/** Looks for notifications that never came (§6.1, §6.3, §6.5). */
const EVERY_FIVE_MINUTES: readonly JobName[] = ['sweep'];

/** How long a stopping server waits for requests under way: one look at a payment and a margin. */
const DRAIN_MS = 15_000;
/** The database may come up after us. */
const JOBS_RETRY_MS = 5_000;

export async function startMerchant({
  config,
  clock,
  logger,
  runJobs,
}: StartOptions): Promise<RunningMerchant> {
  const metrics = createMetrics();
  const database = openDatabase(config.databaseUrl);
  const jobs = createJobs(config.databaseUrl, logger);
  const readiness = createReadiness(database);
  const dependencies = {
    config,
    database,
    service: createPaymentService({
      service: config.service,
      clock,
      onCall: ({ method, path, status, fault }) =>
        metrics.serviceCalls.inc({ operation: `${method} ${path}`, result: fault ?? String(status) }),
    }),
    fromWire: createWireNames(config.service.namePrefix).fromWire,
    schedule: jobs.schedule,
    metrics,
    clock,
    logger,
  };
  const { app, tasks } = createApp(dependencies, readiness.reasonsNotReady);
  const server = createServer(SERVER_LIMITS, app);
  server.maxConnections = MAX_CONNECTIONS;

  let stopping = false;
  let jobsStarted: Promise<void> | undefined;
  if (runJobs) {
    metrics.observeProcess();
    jobsStarted = startJobs();
  }
  const port = await listen(server, config);
  return {
    port,
    runDueJobs: () => jobs.runDue(tasks),
    async close() {
      stopping = true;
      readiness.drain();
      await drain(server);
      await jobsStarted;
      await jobs.stop();
      await database.$disconnect();
    },
  };

  async function startJobs(): Promise<void> {
    while (!stopping) {
      try {
        return await jobs.start(tasks, { everyMinute: EVERY_MINUTE, everyFiveMinutes: EVERY_FIVE_MINUTES });
      } catch (error) {
        logger.warn({ event: 'jobs_not_started', err: error });
        await new Promise((resolve) => setTimeout(resolve, stopping ? 0 : JOBS_RETRY_MS).unref());
      }
    }
  }
}

/** Slow headers and bodies end with 408; Node's own check interval would make these limits up to 30 s longer. */
const SERVER_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 500,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1024,
};
/** Also how many may wait to be taken: with Node's 511, a burst of notifications would find the door shut. */
const MAX_CONNECTIONS = 4_000;

function listen(server: Server, { port, host }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: MAX_CONNECTIONS }, () =>
      resolve((server.address() as AddressInfo).port),
    );
  });
}

/** `close` alone would wait for half-sent bodies and idle connections. */
async function drain(server: Server): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(deadline);
}
