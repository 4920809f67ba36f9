// A PostgreSQL that leaves nothing behind: in the temporary folder, on any free port, gone when it is stopped. What a
// killed run could not remove is swept by the next one; its server has stopped by itself.
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres';
import { isAlive } from './processes';

const FOLDER_PREFIX = 'merchant-throwaway-postgres-';

export async function startThrowawayPostgres(): Promise<EmbeddedPostgres> {
  sweepKilledRuns();
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  // Started by root, PostgreSQL runs as somebody else, who has to get in; the data itself is closed.
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

function sweepKilledRuns(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = new RegExp(`^${FOLDER_PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Another user's run: not ours to remove.
    }
  }
}
