// A PostgreSQL in the temporary folder, on any free port, that is removed when it is stopped. The tests, the benchmarks and
// the scripts for developers use it; `npm start` does not. Folders of killed runs are removed by the next run.

import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres';
import { isAlive } from './processes';

const FOLDER_PREFIX = 'merchant-throwaway-postgres-';

export async function startThrowawayPostgres(): Promise<EmbeddedPostgres> {
  removeFoldersOfKilledRuns();
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  // When root starts it, PostgreSQL runs as another account, which must be able to enter this folder.
  chmodSync(folder, 0o711);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir: join(folder, 'cluster'),
      ports: [0],
      fast: true,
    });
    return { ...postgres, stop: () => postgres.stop().then(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

function removeFoldersOfKilledRuns(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = new RegExp(`^${FOLDER_PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // The folder belongs to another user's run.
    }
  }
}
