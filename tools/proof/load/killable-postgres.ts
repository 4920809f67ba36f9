// A PostgreSQL that can be killed and stopped under load, and returns on the same port with all committed data. It runs without
// fsync, because a kill of its processes loses nothing that was written to the operating system.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { administer } from '../../../src/local/postgres/databases';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/local/postgres/embedded-postgres';
import { readPostmasterFile } from '../../../src/local/postgres/postmaster';
import { migrateDatabase } from '../../../src/merchant/platform/migrations';
import { queryOnce } from '../../../test/support/rows';

/** `crash`: the server is killed; `stop`: it is shut down; `backend`: the process of one connection is killed. */
export const OUTAGES = ['crash', 'stop', 'backend'] as const;
export type Outage = (typeof OUTAGES)[number];

export type KillablePostgres = {
  /** The URL of a migrated database. */
  url: string;
  /** Resolves when the server is back. @param awayMs the minimum outage; a killed `backend` needs no start */
  breakDown(outage: Outage, awayMs: number): Promise<void>;
  close(): Promise<void>;
};

const DATABASE = 'merchant';
const BACK_WITHIN_MS = 60_000;

export async function startKillablePostgres(): Promise<KillablePostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'kill-loop-'));
  // If this process is root, PostgreSQL runs under another account.
  chmodSync(folder, 0o711);
  const dataDir = join(folder, 'postgres');
  const start = (port: number): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDir, ports: [port], settings: ['fsync=off'] });
  let postgres = await start(0);
  const url = postgres.url(DATABASE);
  await administer(postgres.url('postgres'), `create database ${DATABASE}`);
  await migrateDatabase(url);
  const port = Number(new URL(url).port);

  async function startAgain(): Promise<void> {
    const until = performance.now() + BACK_WITHIN_MS;
    for (;;) {
      try {
        postgres = await start(port);
        return;
      } catch (error) {
        // The connection processes of a killed server end a moment later; it cannot start before.
        if (performance.now() > until) throw error;
        await pause(100);
      }
    }
  }

  return {
    url,
    async breakDown(outage, awayMs) {
      if (outage === 'backend') return killBackend(url);
      if (outage === 'crash') {
        process.kill(readPostmasterFile(join(dataDir, 'data'))?.pid ?? 0, 'SIGKILL');
        await postgres.exited;
      }
      await postgres.stop();
      await pause(awayMs);
      return startAgain();
    },
    async close() {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Kills a process that serves a merchant. The server then ends all others, recovers, and accepts connections again. */
async function killBackend(url: string): Promise<void> {
  const [row] = await queryOnce<{ pid: number }>(
    url,
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
     and backend_type = 'client backend' order by query_start desc nulls last limit 1`,
  );
  try {
    if (row) process.kill(row.pid, 'SIGKILL');
  } catch (error) {
    // Its client has closed the connection meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  const until = performance.now() + BACK_WITHIN_MS;
  for (;;) {
    const isBack = await queryOnce(url, 'select 1').then(
      () => true,
      () => false,
    );
    if (isBack) return;
    if (performance.now() > until) throw new Error('PostgreSQL did not come back');
    await pause(50);
  }
}
