// One JSON line per event. What may appear in it is listed here: errors are reduced to facts before they are written,
// because messages of foreign errors quote what they failed on (bodies, query arguments, request configurations).

import pino from 'pino';
import { DatabaseError, HttpError, ServiceError } from './errors';
import { openStandardOutput } from './standard-output';

export type Logger = pino.Logger;

/** @param destination a stream to write to; standard output where absent */
export function createLogger(
  level: string,
  destination: pino.DestinationStream = openStandardOutput(),
): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    serializers: { err: errorFacts, error: errorFacts },
    timestamp: pino.stdTimeFunctions.isoTime,
    // pino would take the message of an error under this key as the line's own: no key of ours has this name.
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

/** The facts of an error that are safe to write down: our own in full, of foreign ones type, code and stack places. */
function errorFacts(error: unknown): Record<string, unknown> {
  if (error instanceof ServiceError) return { type: error.name, ...error.facts };
  if (error instanceof DatabaseError) return { type: error.name, code: error.code };
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
