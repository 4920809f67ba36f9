// What the merchant needs from outside: `start-merchant.ts` makes it, every feature takes its share.

import type { Clock } from './clock';
import type { Config } from './config';
import type { Database } from './database';
import type { ScheduleJob } from './jobs';
import type { Logger } from './logger';
import type { Metrics } from './metrics';
import type { PaymentService } from './payment-service/payment-service';

export type Dependencies = {
  config: Config;
  database: Database;
  service: PaymentService;
  /** Names of the wire to those of the document, for bodies that the service sends us. */
  fromWire: (body: unknown) => unknown;
  schedule: ScheduleJob;
  metrics: Metrics;
  clock: Clock;
  logger: Logger;
};
