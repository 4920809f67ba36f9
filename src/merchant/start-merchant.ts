// Brings the merchant up on a port and takes it down again: for the process in server.ts, and for tests.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parseAddressList } from './address-list';
import { createApp } from './app';
import type { Config } from './config';
import { closeContext, createContext, type Context } from './context';
import { limitPeerConnections } from './http/limit-peer-connections';
import { SET_PRODUCTION, unsafeOutsideProduction } from './live-service';
import { createReadiness } from './readiness';
import { tasksOf } from './tasks';

export type RunningMerchant = {
  port: number;
  /** Runs the jobs that are due, once. */
  runDueJobs(): Promise<void>;
  /**
   * Says at /readyz that no traffic should come, and goes on taking it for `graceMs` (none where absent): balancers and
   * proxies find out with a delay. From the first moment on each answer closes its connection, so that none is chosen
   * for the next request. Then it takes no more requests, lets those in progress finish, and closes every connection.
   */
  close(options?: { graceMs?: number }): Promise<void>;
};

/** How long a stopping server waits for requests in progress: one fetch of a payment and a margin. */
const DRAIN_MS = 15_000;
/** The database may come up after us. */
const JOBS_RETRY_MS = 5_000;

/** @param options `runJobs` is false in tests, which run due jobs themselves */
export async function startMerchant(
  options: Pick<Context, 'config' | 'clock' | 'logger'> & { runJobs: boolean },
): Promise<RunningMerchant> {
  const { config, clock, logger, runJobs } = options;
  const context = createContext({ config, clock, logger });
  const readiness = createReadiness(context);
  const tasks = tasksOf(context);
  const app = createApp(context, readiness);
  let stopping = false;
  const server = createServer(SERVER_LIMITS, (request, response) => {
    if (stopping) response.setHeader('Connection', 'close');
    app(request, response);
  });
  server.maxConnections = MAX_CONNECTIONS;
  limitPeerConnections(server, parseAddressList(config.trustedProxies).list);

  let jobsStarted: Promise<void> | undefined;
  if (runJobs) {
    context.metrics.observeProcess();
    jobsStarted = startJobs();
  }
  const port = await listen(server, config);
  const unsafe = unsafeOutsideProduction(config);
  if (unsafe.length > 0)
    logger.warn({ event: 'live_service_outside_production', unsafe, fix: SET_PRODUCTION });
  return {
    port,
    runDueJobs: () => context.jobs.runDue(tasks),
    async close({ graceMs = 0 } = {}) {
      stopping = true;
      readiness.drain();
      if (graceMs > 0) await pause(graceMs);
      await drain(server);
      await jobsStarted;
      await closeContext(context);
    },
  };

  async function startJobs(): Promise<void> {
    while (!stopping) {
      try {
        return await context.jobs.start(tasks);
      } catch (error) {
        logger.warn({ event: 'jobs_not_started', err: error });
        await new Promise((resolve) => setTimeout(resolve, stopping ? 0 : JOBS_RETRY_MS).unref());
      }
    }
  }
}

/**
 * Slow headers and bodies end with 408; Node's own check interval would make these limits up to 30 s longer. An idle
 * connection stays longer than nginx and cloud balancers keep theirs (60 s): they close it first, so that none of them
 * sends a request into a connection that is closed at that moment. The limit on headers counts from their first byte.
 */
const SERVER_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 500,
  keepAliveTimeout: 72_000,
  maxHeaderSize: 16 * 1024,
};
/** Also how many connections may wait to be accepted: with Node's 511, a burst of notifications would be refused. */
const MAX_CONNECTIONS = 4_000;

function listen(server: Server, { port, host }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: MAX_CONNECTIONS }, () =>
      resolve((server.address() as AddressInfo).port),
    );
  });
}

/** `close` alone would wait for half-sent bodies, and for connections that become idle later. */
async function drain(server: Server): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(deadline);
}
