// One JSON line per event. What may appear in it is listed here: errors are reduced to facts before they are written,
// because messages of foreign errors quote what they failed on (bodies, query arguments, request configurations).

import { write, writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import pino, { type DestinationStream } from 'pino';
import { DatabaseError, HttpError, ServiceError } from './errors';

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

/** Characters. */
const MOST_WAITING = 1_000_000;
/** After a failure. */
const AGAIN_MS = 100;
/** A write that takes longer waits for a reader who does not read. */
const STUCK_MS = 1_000;
const NOTHING = Buffer.alloc(0);
/** The reader has closed it. */
const CLOSED = new Set(['EPIPE', 'EBADF', 'EINVAL']);

/**
 * Standard output as the place of the log. A log that cannot be written must not take the merchant with it: while the disk is full,
 * lines wait up to a limit and are then left out; when the reader of a pipe is gone, nothing is written any more; and an exit does
 * not wait for a place that takes nothing. With `pino.destination` a process on a full disk does not end.
 * `flushSync` writes at once what waits, as far as it can be written: pino calls it after a fatal line.
 */
export function openStandardOutput(
  fd: number = process.stdout.fd,
): DestinationStream & { flushSync(): void } {
  let waiting = '';
  /** What a write has left over. */
  let rest: Buffer = NOTHING;
  let isClosed = false;
  let isScheduled = false;
  /** Null while no write is under way. */
  let beganMs: number | null = null;
  let isStuck = false;

  /** The lines of one turn are one write. */
  function writeLines(): void {
    isScheduled = false;
    if (beganMs !== null) {
      // The end of a write is told before this runs, also after the event loop stood still.
      isStuck = performance.now() - beganMs > STUCK_MS;
      return;
    }
    const bytes = take();
    if (bytes.length === 0) return;
    beganMs = performance.now();
    write(fd, bytes, (error, written) => {
      beganMs = null;
      isStuck = false;
      // Undefined or 0 after an error.
      rest = bytes.subarray(written);
      if (error) failed(error);
      else writeLines();
    });
  }

  function failed({ code = '' }: NodeJS.ErrnoException): void {
    if (CLOSED.has(code)) isClosed = true;
    else setTimeout(writeLines, AGAIN_MS).unref();
  }

  function take(): Buffer {
    const bytes = rest.length > 0 ? rest : Buffer.from(waiting);
    if (rest.length === 0) waiting = '';
    rest = NOTHING;
    return bytes;
  }

  function flushSync(): void {
    // Another write would be as well, and this one holds up the exit.
    if (isStuck) return;
    try {
      for (let bytes = take(); bytes.length > 0; bytes = take()) rest = bytes.subarray(writeSync(fd, bytes));
    } catch {
      // There is no other place to say so.
    }
  }

  process.on('exit', flushSync);
  return {
    write(line) {
      if (isClosed || waiting.length + line.length > MOST_WAITING) return;
      waiting += line;
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(writeLines);
    },
    flushSync,
  };
}
