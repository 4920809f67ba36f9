// Brings the merchant up on a port and takes it down again: for the process in server.ts, and for tests.

import type { Server } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from './app';
import { followService } from './core/webhooks/follow-service';
import { FEATURES } from './features';
import { parseAddressList } from './platform/address-list';
import { ConfigError, type Config } from './platform/config';
import { clockOf, closeContext, createContext, tasksOf, type Context } from './platform/context';
import { createDatabaseClock } from './platform/database-clock';
import { readDatabaseTime } from './platform/database-time-store';
import { createExpressServer } from './platform/http/express-server';
import { limitPeerConnections } from './platform/http/limit-peer-connections';
import { securityHeaders } from './platform/http/security-headers';
import type { ShopFiles } from './platform/http/shop-files';
import { SET_PRODUCTION, unsafeOutsideProduction } from './platform/live-service';
import type { Metrics } from './platform/metrics';
import { createReadiness } from './platform/readiness';
import { lacksProxies, NO_TRUSTED_PROXIES } from './platform/trusted-proxies';
import * as builtInMembers from './shop/built-in-members';
import * as members from './shop/current-member';

export type RunningMerchant = {
  port: number;
  /** Counters since the start. */
  metrics: Metrics;
  /** Runs the jobs that are due, once. */
  runDueJobs(): Promise<void>;
  /**
   * Says at /readyz that no traffic should come, and goes on taking it for `graceMs` (none where absent): balancers and
   * proxies find out with a delay. From the first moment on each answer closes its connection, so that none is chosen
   * for the next request. Then it takes no more requests, lets those in progress finish, and closes every connection.
   */
  close(options?: { graceMs?: number }): Promise<void>;
};

/** From the connection of a proxy to its request. */
const REQUEST_ON_ITS_WAY_MS = 500;
/** How long a stopping server waits for requests in progress: one fetch of a payment and a margin. */
const DRAIN_MS = 15_000;
/** The database may come up after us. */
const JOBS_RETRY_MS = 5_000;
/** How often the clock is set right. */
const CLOCK_GAP_MS = 60_000;

/**
 * @param options `clock` is the host's. `runJobs` is false in tests, which run due jobs themselves and whose clock the
 * database does not know. `shop` is left out but in tests: the shop's own files say it
 * @throws ConfigError where a setting of the shop's own files is missing in production
 */
export async function startMerchant(
  options: Pick<Context, 'config' | 'clock' | 'logger'> & { runJobs: boolean; shop?: Partial<ShopFiles> },
): Promise<RunningMerchant> {
  const { config, logger, runJobs } = options;
  const shop: Pick<ShopFiles, 'currentMember' | 'missingSettings'> = { ...members, ...options.shop };
  const missing = config.production ? (shop.missingSettings?.() ?? []) : [];
  if (missing.length > 0)
    throw new ConfigError(missing.map((name) => `${name}: is not set; src/merchant/shop needs it`));
  const databaseClock = createDatabaseClock(options.clock);
  const clock = clockOf(FEATURES, databaseClock, config);
  const context = createContext({ config, clock, logger, features: FEATURES });
  followService(context);
  const readiness = createReadiness(context);
  const tasks = tasksOf(context);
  const app = createApp(context, readiness, options.shop);
  let stopping = false;
  const server = createExpressServer(app, {
    limits: SERVER_LIMITS,
    headers: securityHeaders(config),
    onRequest: (response) => {
      if (stopping) response.setHeader('Connection', 'close');
    },
  });
  server.maxConnections = MAX_CONNECTIONS;
  limitPeerConnections(server, parseAddressList(config.trustedProxies).list);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  let jobsStarted: Promise<void> | undefined;
  let clockTimer: NodeJS.Timeout | undefined;
  if (runJobs) {
    context.metrics.observeProcess();
    jobsStarted = startJobs();
    clockTimer = setInterval(() => void adjustClock().catch(clockUnknown), CLOCK_GAP_MS).unref();
  }
  const port = await listen(server, config);
  const unsafe = unsafeOutsideProduction(config);
  if (unsafe.length > 0)
    logger.warn({ event: 'live_service_outside_production', unsafe, fix: SET_PRODUCTION });
  if (lacksProxies(config)) logger.warn({ event: 'no_trusted_proxies', ...NO_TRUSTED_PROXIES });
  if (config.production && shop.currentMember === builtInMembers.currentMember)
    logger.warn({ event: 'built_in_members', ...builtInMembers.IN_PRODUCTION });
  return {
    port,
    metrics: context.metrics,
    runDueJobs: () => context.jobs.runDue(tasks),
    async close({ graceMs = 0 } = {}) {
      stopping = true;
      clearInterval(clockTimer);
      readiness.drain();
      if (graceMs > 0) await pause(graceMs);
      await drain(server, sockets, { isGraceful: graceMs > 0 });
      await jobsStarted;
      await closeContext(context);
    },
  };

  async function adjustClock(): Promise<void> {
    const behindMs = await databaseClock.adjust(() => readDatabaseTime(context));
    if (behindMs !== 0) logger.warn({ event: 'clock_differs', behind_ms: behindMs });
  }

  /** It goes on with what was read before. */
  function clockUnknown(error: unknown): void {
    logger.warn({ event: 'clock_not_adjusted', err: error });
  }

  async function startJobs(): Promise<void> {
    while (!stopping) {
      try {
        await adjustClock();
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

/**
 * Takes no more connections. Two kinds would be reset by `close` of an http server, and a proxy must not send their
 * notifications a second time: those that wait to be accepted (none does after the event loop has looked at its sockets),
 * and those that were accepted just now, whose request is on its way.
 */
async function stopListening(server: Server): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  NetServer.prototype.close.call(server);
  await pause(REQUEST_ON_ITS_WAY_MS);
}

/** `close` alone would wait for half-sent bodies, and for connections that become idle later. */
async function drain(
  server: Server,
  sockets: ReadonlySet<Socket>,
  { isGraceful }: { isGraceful: boolean },
): Promise<void> {
  const closed = new Promise((resolve) => server.once('close', resolve));
  const beganMs = performance.now();
  if (isGraceful) await stopListening(server);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    // Opened ahead of its first request, as browsers and balancers do: Node.js does not count it as idle.
    if (performance.now() - beganMs > REQUEST_ON_ITS_WAY_MS)
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }, 100);
  server.close();
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
