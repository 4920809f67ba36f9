// Starts the merchant on a port and stops it: for the process in server.ts, and for tests.

import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from './app';
import { followService } from './core/webhooks/follow-service';
import { OBSERVED, webhookSettings } from './core/webhooks/settings';
import { FEATURES } from './features';
import { within } from './platform/clock';
import { ConfigError } from './platform/config';
import { clockOf, closeContext, createContext, tasksOf, type Context } from './platform/context';
import { databaseReason } from './platform/database-problems';
import { WRONG_SETTING } from './platform/database-session';
import { createDatabaseClock, readDatabaseTime } from './platform/database-time-store';
import { SET_PRODUCTION, unsafeOutsideProduction } from './platform/environment';
import { DatabaseError } from './platform/errors';
import { listen } from './platform/http/http-server';
import type { ShopFiles } from './platform/http/shop-files';
import type { Metrics } from './platform/metrics';
import { createReadiness } from './platform/readiness';
import { settingsOf } from './platform/settings';
import * as builtInMembers from './shop/built-in-members';
import * as members from './shop/current-member';

export type RunningMerchant = {
  port: number;
  /** Counters since the start. */
  metrics: Metrics;
  /** Runs the due jobs once. */
  runDueJobs(): Promise<void>;
  /**
   * Reports "not ready" at /readyz and keeps accepting requests for `graceMs` (default: none), because load balancers
   * notice with a delay. Each answer closes its connection meanwhile, so that it is not reused. Then stops accepting
   * requests, lets those in progress finish, and closes every connection.
   */
  close(options?: { graceMs?: number }): Promise<void>;
};

/** Whether a process serves requests, runs jobs, or both. */
export type ProcessRole = 'all' | 'web' | 'jobs';

/** The database may start after us. */
const JOBS_RETRY_MS = 5_000;
/** How long a start waits for what the database is like. */
const DATABASE_WITHIN_MS = 2_500;
/** How often to correct the clock. */
const CLOCK_GAP_MS = 60_000;

/**
 * For production without TRUSTED_PROXIES. A proxy may preserve the sender's address on the connection itself; behind
 * any other proxy no notification arrives.
 */
const NO_TRUSTED_PROXIES = {
  meaning:
    'the address of each connection counts as the sender: behind a reverse proxy every notification is refused, and all browsers share the card limits of one address',
  fix: 'Name your reverse proxies in TRUSTED_PROXIES, by address or range, and run: npm run doctor',
};

/** For a host that names a proxy. A shop behind a firewall would see nothing but time-outs. */
const PROXY_IGNORED = {
  meaning: 'HTTPS_PROXY or HTTP_PROXY is set and not used: the payment service is called directly',
  fix: 'Set SERVICE_PROXY=on if this host reaches the payment service only through the proxy; otherwise unset the variable',
};

/**
 * @param options `clock` is the host's. `role` is null in tests, which run due jobs themselves and do not correct the
 * clock by the database. Only tests set `shop`; otherwise the shop's own files are used
 * @throws ConfigError if a setting of the shop's own files is missing in production
 */
export async function startMerchant(
  options: Pick<Context, 'config' | 'clock' | 'logger'> & {
    role: ProcessRole | null;
    shop?: Partial<ShopFiles>;
  },
): Promise<RunningMerchant> {
  const { config, logger, role } = options;
  const shop: Pick<ShopFiles, 'currentMember' | 'missingSettings'> = { ...members, ...options.shop };
  const missing = config.production ? (shop.missingSettings?.() ?? []) : [];
  if (missing.length > 0)
    throw new ConfigError(missing.map((name) => `${name}: is not set; src/merchant/shop needs it`));
  const realClock = createDatabaseClock(options.clock);
  const clock = clockOf(FEATURES, realClock, config);
  const context = createContext({ config, clock, logger, features: FEATURES }, realClock);
  followService(context);
  const readiness = createReadiness(context);
  if (role !== null) await refuseUnfitDatabase(context);
  const tasks = tasksOf(context);
  const app = createApp(context, readiness, { hasProbesOnly: role === 'jobs', shop: options.shop });
  let stopping = false;
  let jobsStarted: Promise<void> | undefined;
  let clockTimer: NodeJS.Timeout | undefined;
  const ending = new AbortController();
  if (role !== null) {
    context.metrics.observeProcess();
    if (role === 'web') void adjustClock().catch(clockUnknown);
    else jobsStarted = startJobs();
    for (const feature of FEATURES) void feature.start?.(context, ending.signal);
    clockTimer = setInterval(() => void adjustClock().catch(clockUnknown), CLOCK_GAP_MS).unref();
  }
  const server = await listen(app, config);
  const unsafe = unsafeOutsideProduction(config);
  if (unsafe.length > 0)
    logger.warn({ event: 'live_service_outside_production', unsafe, fix: SET_PRODUCTION });
  if (config.ignoresProxy) logger.warn({ event: 'proxy_not_used', ...PROXY_IGNORED });
  if (settingsOf(config, webhookSettings).WEBHOOK_SOURCE_CHECK === 'observe')
    logger.warn({ event: 'webhook_sources_not_checked', ...OBSERVED });
  if (config.production && config.trustedProxies.length === 0)
    logger.warn({ event: 'no_trusted_proxies', ...NO_TRUSTED_PROXIES });
  if (config.production && shop.currentMember === builtInMembers.currentMember)
    logger.warn({ event: 'built_in_members', ...builtInMembers.IN_PRODUCTION });
  return {
    port: server.port,
    metrics: context.metrics,
    runDueJobs: () => context.jobs.runDue(tasks),
    async close({ graceMs = 0 } = {}) {
      stopping = true;
      server.closeConnections();
      clearInterval(clockTimer);
      ending.abort();
      readiness.drain();
      if (graceMs > 0) await pause(graceMs);
      await server.drain({ isGraceful: graceMs > 0 });
      await jobsStarted;
      await closeContext(context);
    },
  };

  async function adjustClock(): Promise<void> {
    const behindMs = await realClock.adjust(() => readDatabaseTime(context));
    if (behindMs !== 0) logger.warn({ event: 'clock_differs', behind_ms: behindMs });
  }

  /** The clock keeps the correction of the last successful read. */
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
 * A database of another encoding, or whose sessions differ from what we rely on, would store wrong values later. One that
 * does not answer yet may start after us: each connection is checked as well.
 */
async function refuseUnfitDatabase(context: Context): Promise<void> {
  const code = await within(
    DATABASE_WITHIN_MS,
    readDatabaseTime(context).then(
      () => null,
      (error: unknown) => (error instanceof DatabaseError ? error.code : null),
    ),
  );
  if (!code?.startsWith(WRONG_SETTING)) return;
  await closeContext(context);
  const { says, fix } = databaseReason(code);
  throw new ConfigError([`DATABASE_URL: the database ${says}. ${fix}`]);
}
