// One JSON line per event. Errors are reduced to the facts listed here, because messages of foreign errors quote the
// data that they failed on (bodies, query arguments, request configurations).

import pino, { type DestinationStream } from 'pino';
import { ServiceError } from '../payment-service/records/service-error';
import { databaseReasonText } from './database-problems';
import { DatabaseError, HttpError } from './errors';

export type Logger = pino.Logger;

/** @param destination a stream to write to; default: standard output */
export function createLogger(
  level: string,
  destination: pino.DestinationStream = openStandardOutput(),
): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    serializers: { err: errorFacts, error: errorFacts },
    timestamp: pino.stdTimeFunctions.isoTime,
    // pino would use the message of an error under this key as the line's message, so the name is one that we never
    // use.
    errorKey: 'messageOfError',
    hooks: {
      logMethod(args, method) {
        const given = args as unknown[];
        if (given[0] instanceof Error) given[0] = { err: given[0] };
        method.apply(this, args);
      },
    },
  };
  return pino(options, destination);
}

/**
 * The facts of an error that are safe to log: all facts of our own errors; type, code and stack positions of others.
 */
function errorFacts(error: unknown): Record<string, unknown> {
  if (error instanceof ServiceError) return { type: error.name, ...error.facts };
  if (error instanceof DatabaseError)
    return { type: error.name, code: error.code, reason: databaseReasonText(error.code) };
  if (error instanceof HttpError) return { type: error.name, code: error.code, status: error.status };
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, type } = error as { code?: unknown; type?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    // body-parser's machine-readable reason, such as "entity.too.large"
    ...(typeof type === 'string' ? { reason: type } : {}),
    at: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 12)
      .map((line) => line.trim()),
  };
}

/** In characters. */
const MOST_WAITING = 1_000_000;

/**
 * Standard output. A log that cannot be written stops nothing: on a full disk, or while the reader of a pipe has stopped,
 * lines wait for the next one, up to a limit; what exceeds it is lost.
 */
function openStandardOutput(): DestinationStream {
  const output = pino.destination({
    // Reading `stdout` makes a pipe non-blocking.
    fd: process.stdout.fd,
    sync: true,
    maxLength: MOST_WAITING,
    retryEAGAIN: () => false,
  });
  output.on('error', () => undefined);
  // Nothing else waits. On a full disk, sonic-boom 4.2 would repeat this for ever, and pino calls it after a fatal line.
  output.flushSync = () => undefined;
  return output;
}
