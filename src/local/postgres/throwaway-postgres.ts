// A PostgreSQL for tests, benchmarks and developer scripts, on any free port. Its data is in memory (/dev/shm) if there is
// room, otherwise in the temporary folder, and is removed at the stop, or by the next run if this one is killed.

import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres';
import { postgresBinaries } from './postgres-binaries';
import { isAlive } from './processes';

const FOLDER_PREFIX = 'merchant-throwaway-postgres-';
/** A folder in memory on most Linux systems; in a container it may be small. */
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 2 ** 30;

export async function startThrowawayPostgres(binaries = postgresBinaries()): Promise<EmbeddedPostgres> {
  removeFoldersOfKilledRuns();
  const folder = mkdtempSync(join(parentFolder(), `${FOLDER_PREFIX}${process.pid}-`));
  // If root starts it, PostgreSQL runs under another account, which must be able to enter this folder.
  chmodSync(folder, 0o711);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir: join(folder, 'cluster'),
      ports: [0],
      fast: true,
      binaries,
    });
    return { ...postgres, stop: () => postgres.stop().then(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The parent folder of throw-away clusters: in memory, if there is room for one. */
export function parentFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > NEEDED_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

function removeFoldersOfKilledRuns(): void {
  const parent = parentFolder();
  for (const name of readdirSync(parent)) {
    const owner = new RegExp(`^${FOLDER_PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // The folder belongs to another user's run.
    }
  }
}
