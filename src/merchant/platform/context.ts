// What the merchant needs from outside. It is made once per process and is the first argument of every use case and
// store; tests pass one with their own clock, database and service address.

import { createPaymentService, type PaymentService } from '../payment-service/payment-service';
import type { Clock } from './clock';
import type { Config } from './config';
import { openDatabase, type Database } from './database';
import { createJobs, type Jobs } from './jobs';
import type { Logger } from './logger';
import { createMetrics, type Metrics } from './metrics';

export type Context = {
  config: Config;
  /** Used by the stores (`*-store.ts`), and by a shop's own files for tables of its own. */
  database: Database;
  service: PaymentService;
  jobs: Jobs;
  metrics: Metrics;
  clock: Clock;
  logger: Logger;
};

/** Opens nothing yet: database and jobs connect with their first use. */
export function createContext(outside: Pick<Context, 'config' | 'clock' | 'logger'>): Context {
  const { config, clock, logger } = outside;
  const metrics = createMetrics();
  return {
    ...outside,
    database: openDatabase(config.databaseUrl),
    service: createPaymentService({
      service: config.service,
      clock,
      includeTestChannel: !config.production,
      onCall: ({ method, path, status, error }) =>
        metrics.serviceCalls.inc({ operation: `${method} ${path}`, result: error ?? String(status) }),
    }),
    jobs: createJobs(config.databaseUrl, logger, clock),
    metrics,
  };
}

/** Lets a job under way finish, then closes the connections. */
export async function closeContext({ jobs, database }: Context): Promise<void> {
  await jobs.stop();
  await database.$disconnect();
}
