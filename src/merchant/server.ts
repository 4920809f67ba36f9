// The merchant as a process: reads the settings, starts, and stops on SIGINT and SIGTERM. It exits with 0 after a
// requested stop, and with 1 otherwise. `--no-jobs` only serves requests. `--jobs-only` only runs jobs, and answers
// only /healthz, /readyz and /metrics.

import { setFlagsFromString } from 'node:v8';
import { systemClock } from './platform/clock';
import { ConfigError, type Config } from './platform/config';
import { settingsNotRead } from './platform/environment';
import { fileProblem } from './platform/file-problem';
import { createLogger, type Logger } from './platform/logger';
import { readServerConfig, SETTING_NAMES } from './settings';
import { startMerchant, type ProcessRole } from './start-merchant';

/**
 * SIGTERM comes from an orchestrator: the load balancer has this long to send requests elsewhere. SIGINT comes from a
 * terminal, where nothing is gained by waiting.
 */
const GRACE_MS = { SIGTERM: 5_000, SIGINT: 0 };
/**
 * A stop that takes longer is aborted. Kubernetes kills after 30 s, Docker after 10 s unless configured otherwise
 * (Dockerfile).
 */
const STOP_WITHIN_MS = 25_000;

/**
 * Old objects are collected when they have doubled since the last collection. V8 would let them grow to four times as
 * much, which makes a busy process a third larger and no faster: measured with a backlog.
 */
setFlagsFromString('--heap-growing-percent=100');

void main();

async function main(): Promise<void> {
  const role = readRoleOrExit();
  const config = readConfigOrExit();
  const logger = createLogger(config.logLevel);
  process.on('uncaughtException', (error) => fail(logger, 'uncaught_exception', error));
  process.on('unhandledRejection', (error) => fail(logger, 'unhandled_rejection', error));
  try {
    warnOfNames(logger);
    const merchant = await startMerchant({ config, clock: systemClock, logger, role });
    stopOnSignal(logger, (graceMs) => merchant.close({ graceMs }));
    logger.info({ event: 'listening', port: merchant.port });
    process.send?.({ type: 'ready', port: merchant.port });
  } catch (error) {
    if (error instanceof ConfigError) return refuse(error);
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return fail(logger, 'not_started', error);
    process.stderr.write(`Port ${config.port} is in use: stop what listens there, or set PORT to another.\n`);
    process.exit(1);
  }
}

function readRoleOrExit(): ProcessRole {
  const [argument, ...others] = process.argv.slice(2);
  if (argument === undefined) return 'all';
  if (argument === '--no-jobs' && others.length === 0) return 'web';
  if (argument === '--jobs-only' && others.length === 0) return 'jobs';
  process.stderr.write('The server takes --no-jobs, --jobs-only, or no argument.\n');
  return process.exit(1);
}

function readConfigOrExit(): Config {
  try {
    return readServerConfig();
  } catch (error) {
    const message = error instanceof ConfigError ? error.message : fileProblem(error);
    if (message === null) throw error;
    return refuse({ message });
  }
}

/** A misspelt setting would have its default, silently. */
function warnOfNames(logger: Logger): void {
  const names = settingsNotRead(SETTING_NAMES);
  if (names.length > 0)
    logger.warn({ event: 'settings_not_read', names, fix: 'Correct the name, or remove it.' });
}

function refuse({ message }: { message: string }): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** After a second signal, does not wait for requests in progress. */
function stopOnSignal(logger: Logger, close: (graceMs: number) => Promise<void>): void {
  let stopping = false;
  const stop = (signal: keyof typeof GRACE_MS): void => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ event: 'stopping', signal });
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    close(GRACE_MS[signal]).then(
      () => process.exit(0),
      (error: unknown) => fail(logger, 'stop_failed', error),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal));
}

function fail(logger: Logger, event: string, error: unknown): void {
  logger.fatal({ event, err: error });
  process.exit(1);
}
