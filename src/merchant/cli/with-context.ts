// The Context of a command: the same stores, payment service and verification as the server's, without the server.

import { FEATURES } from '../features';
import { systemClock } from '../platform/clock';
import { clockOf, closeContext, createContext, type Context } from '../platform/context';
import { createLogger } from '../platform/logger';
import { readCommandConfig } from '../settings';
import type { Output } from './terminal';

/**
 * Reads the settings, and closes the Context after the work.
 * @param asOwner whether it signs in as the role that owns the tables (DATABASE_OWNER_URL)
 * @param log standard error, where a person's decision is logged as JSON. A command that only reads logs nothing
 * @throws ConfigError
 */
export async function withContext<Result>(
  work: (context: Context) => Promise<Result>,
  log?: Output,
  asOwner = false,
): Promise<Result> {
  const given = readCommandConfig();
  const { databaseOwnerUrl } = given;
  const config = asOwner
    ? {
        ...given,
        databaseUrl: databaseOwnerUrl,
        databaseDirectUrl: databaseOwnerUrl,
        databaseIsPooled: false,
      }
    : given;
  const logger = log ? createLogger(config.logLevel, log) : createLogger('silent', process.stderr);
  const clock = clockOf(FEATURES, systemClock, config);
  const context = createContext({ config, clock, logger, features: FEATURES }, systemClock);
  try {
    for (const feature of FEATURES) await feature.start?.(context, null);
    return await work(context);
  } finally {
    await closeContext(context);
  }
}
