// The Context of a command: the same stores, payment service and verification as the server's, without the server.

import { FEATURES } from '../features';
import { systemClock } from '../platform/clock';
import { clockOf, closeContext, createContext, isMovable, type Context } from '../platform/context';
import { readConfig } from '../platform/environment';
import { createLogger, openStandardOutput } from '../platform/logger';

/**
 * Reads the settings, and closes the Context after the work.
 * @param log a command that only reads logs nothing. A person's decision is logged on standard error as JSON, because
 * standard output has only the answer
 * @throws ConfigError
 */
export async function withContext<Result>(
  work: (context: Context) => Promise<Result>,
  log: 'nothing' | 'to standard error' = 'nothing',
): Promise<Result> {
  const config = readConfig();
  const logger =
    log === 'nothing'
      ? createLogger('silent')
      : createLogger(config.logLevel, openStandardOutput(process.stderr.fd));
  // The server's time, if a person has moved it in the sandbox.
  const clock = clockOf(FEATURES, systemClock, config);
  if (isMovable(clock)) await clock.learn();
  const context = createContext({ config, clock, logger, features: FEATURES }, systemClock);
  try {
    return await work(context);
  } finally {
    await closeContext(context);
  }
}
