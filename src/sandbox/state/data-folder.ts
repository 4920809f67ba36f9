// The folder that keeps the state. Whatever is written there is written whole or not at all, and a disk that is full is
// said once: what has to be written is refused with a 507 until there is room again.

import { fstatSync, ftruncateSync, mkdirSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { HttpError } from '../http/answer';

export type DataFolder = {
  pathOf(name: string): string;
  /**
   * Writes all of `bytes` at a position of an open file, which is its end or before it. Throws DiskError, and then the
   * file has the length that it had.
   */
  write(descriptor: number, bytes: Uint8Array, position: number): void;
  /**
   * Replaces the whole content at once: a killed process, like a full disk, leaves the old content or the new. Throws
   * DiskError.
   */
  replace(name: string, content: string): void;
};

/** A 507 of the call that had to write. */
export class DiskError extends HttpError {}

/** A failure this long after the last one is another, and is said again. */
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
          // The system may write a part where there is no room for all.
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

/** For what can wait while the disk is full. Returns whether it was written. */
export function whereThereIsRoom(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return false;
  }
}
