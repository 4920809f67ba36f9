// Standard output as the place of the log. A log that cannot be written must not take the merchant with it: while the disk is
// full, lines wait up to a limit and are then left out; when the reader of a pipe is gone, nothing is written any more; and an
// exit does not wait for a place that takes nothing. With `pino.destination` a process on a full disk does not end.

import { write, writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { DestinationStream } from 'pino';

/** Characters. */
const MOST_WAITING = 1_000_000;
/** After a failure. */
const AGAIN_MS = 100;
/** A write that takes longer waits for a reader who does not read. */
const STUCK_MS = 1_000;
const NOTHING = Buffer.alloc(0);
/** The reader has closed it. */
const CLOSED = new Set(['EPIPE', 'EBADF', 'EINVAL']);

/** `flushSync` writes at once what waits, as far as it can be written: pino calls it after a fatal line. */
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
