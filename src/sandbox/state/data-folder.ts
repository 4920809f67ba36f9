// The folder of the saved state. Writes are atomic. While the disk is full, calls that have to write are refused with a 507;
// the log reports the failure once.

import { fstatSync, ftruncateSync, mkdirSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { HttpError } from '../http/answer';

export type DataFolder = {
  pathOf(name: string): string;
  /** Writes all of `bytes` at a position up to the end of an open file. If it throws DiskError, the file keeps its length. */
  write(descriptor: number, bytes: Uint8Array, position: number): void;
  /** Replaces the content atomically, even if the process is killed or the disk is full. Throws DiskError. */
  replace(name: string, content: string): void;
};

/** The 507 of a call that has to write. */
export class DiskError extends HttpError {}

/** A failure is reported again if the last one was this long ago. */
const QUIET_MS = 5_000;

export function createDataFolder(path: string, logger?: Logger): DataFolder {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  let failedAt: number | null = null;
  const isQuiet = () => failedAt === null || performance.now() - failedAt > QUIET_MS;

  function attempt(work: () => void, undo: () => void) {
    try {
      work();
    } catch (error) {
      undo();
      throw refused((error as NodeJS.ErrnoException).code ?? 'unknown');
    }
    if (failedAt === null || !isQuiet()) return;
    failedAt = null;
    logger?.info({ folder: path }, 'the data folder can be written again');
  }

  function refused(code: string): DiskError {
    const what = code === 'ENOSPC' || code === 'EDQUOT' ? 'is full' : 'cannot be written';
    if (isQuiet())
      logger?.error(
        { folder: path, code },
        `the data folder ${what}: what has to be written is refused until it can be`,
      );
    failedAt = performance.now();
    return new DiskError(507, `the data folder of the sandbox ${what} (${code})`);
  }

  return {
    pathOf: (name) => join(path, name),
    write(descriptor, bytes, position) {
      const { size } = fstatSync(descriptor);
      attempt(
        () => {
          // The system may write only a part if there is no room for all.
          for (let done = 0; done < bytes.length;)
            done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
        },
        () => ftruncateSync(descriptor, size),
      );
    },
    replace(name, content) {
      const file = join(path, name);
      attempt(
        () => {
          writeFileSync(`${file}.new`, content, { mode: 0o600 });
          renameSync(`${file}.new`, file);
        },
        () => rmSync(`${file}.new`, { force: true }),
      );
    },
  };
}

/** Runs a write that can wait while the disk is full. Returns whether it was written. */
export function whereThereIsRoom(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return false;
  }
}
