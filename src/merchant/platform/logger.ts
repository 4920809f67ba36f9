// One JSON line per event. Errors are reduced to the facts listed here, because messages of foreign errors quote the
// data that they failed on (bodies, query arguments, request configurations).

import { write, writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import pino, { type DestinationStream } from 'pino';
import { databaseReasonText } from './database-problems';
import { DatabaseError, HttpError, ServiceError } from './errors';

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
/** Retry after a failed write. */
const AGAIN_MS = 100;
/** A write that takes longer means that the reader has stopped reading. */
const STUCK_MS = 1_000;
const NOTHING = Buffer.alloc(0);
/** Codes that mean that the reader has closed the pipe. */
const CLOSED = new Set(['EPIPE', 'EBADF', 'EINVAL']);

/** As pino would write it. It says that the log has a gap. */
function droppedLine(lines: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 50, time, event: 'log_lines_dropped', lines })}\n`;
}

/**
 * Standard output as the log's destination. A log that cannot be written must not stop the merchant: on a full disk,
 * lines are buffered up to a limit and then dropped; once the pipe's reader is gone, nothing is written; an exit does
 * not wait for a stuck reader. `pino.destination` would keep a process on a full disk from exiting.
 * `flushSync` writes the buffer at once, as far as possible: pino calls it after a fatal line.
 */
function openStandardOutput(): DestinationStream & { flushSync(): void } {
  const { fd } = process.stdout;
  let waiting = '';
  /** Lines that had no room since the last one that had. */
  let dropped = 0;
  /** The rest of a partial write. */
  let rest: Buffer = NOTHING;
  let isClosed = false;
  let isScheduled = false;
  /** Null while no write is in progress. */
  let beganMs: number | null = null;
  let isStuck = false;

  /** Writes the lines of one turn together. */
  function writeLines(): void {
    isScheduled = false;
    if (beganMs !== null) {
      // The callback of a finished write runs before this, also after a blocked event loop.
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
    // Another write would be stuck too, and a synchronous one would block the exit.
    if (isStuck) return;
    try {
      for (let bytes = take(); bytes.length > 0; bytes = take()) rest = bytes.subarray(writeSync(fd, bytes));
    } catch {
      // There is nowhere else to report it.
    }
  }

  process.on('exit', flushSync);
  return {
    write(line) {
      if (isClosed) return;
      if (waiting.length + line.length > MOST_WAITING) {
        dropped += 1;
        return;
      }
      if (dropped > 0) waiting += droppedLine(dropped);
      dropped = 0;
      waiting += line;
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(writeLines);
    },
    flushSync,
  };
}
