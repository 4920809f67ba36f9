// Databases for tests. One throw-away cluster per run has a template that was migrated once; each test file clones it in about
// 30 ms.

import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { administer } from '../../src/local/postgres/databases';
import { startThrowawayPostgres } from '../../src/local/postgres/throwaway-postgres';
import { migrateDatabase } from '../../src/merchant/platform/migrations';
import { eventually } from './eventually';

const TEMPLATE = 'template_merchant';

export type TestCluster = Awaited<ReturnType<typeof startTestCluster>>;
export type TestDatabase = Awaited<ReturnType<typeof createDatabase>>;

export async function startTestCluster() {
  const postgres = await startThrowawayPostgres();
  try {
    const templateUrl = postgres.url(TEMPLATE);
    await administer(postgres.url('postgres'), `create database ${TEMPLATE}`);
    await migrateDatabase(templateUrl);
    return { templateUrl, stop: postgres.stop };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** Creates a migrated, empty database; `drop` also ends open connections. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(`template ${TEMPLATE} strategy file_copy`);
}

/** Creates a database without tables. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('');
}

async function createDatabase(options: string) {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = administrationOf(databaseUrl('postgres'));
  await admin.query(`create database ${name} ${options}`);
  return {
    url: databaseUrl(name),
    /** While unreachable it refuses connections; open ones are ended. */
    async setReachable(reachable: boolean): Promise<void> {
      const url = databaseUrl('postgres');
      await administer(url, `alter database ${name} allow_connections ${reachable}`);
      if (!reachable) await endSessions(databaseUrl(name));
    },
    drop: async () => void (await admin.query(`drop database if exists ${name} with (force)`)),
  };
}

/**
 * Ends all sessions of a database. They have ended when it returns: `pg_terminate_backend` alone returns before, and with a time to
 * wait it takes 100 ms for each.
 */
export async function endSessions(url: string): Promise<void> {
  const admin = administrationOf(databaseUrl('postgres'));
  const told = await admin.query<{ pid: number }>(
    'select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
    [new URL(url).pathname.slice(1)],
  );
  const pids = told.rows.map(({ pid }) => pid);
  const left = () => admin.query('select from pg_stat_activity where pid = any($1)', [pids]);
  await eventually(async () => (await left()).rowCount === 0);
}

const administrations = new Map<string, Pool>();

/** The connections of this process to a cluster's own database. They end with the process. */
function administrationOf(url: string): Pool {
  const known = administrations.get(url);
  if (known) return known;
  const pool = new Pool({ connectionString: url, max: 2, allowExitOnIdle: true });
  // The cluster stops before the process ends.
  pool.on('error', () => undefined);
  administrations.set(url, pool);
  return pool;
}

function databaseUrl(name: string): string {
  const templateUrl = process.env['TEST_TEMPLATE_URL'];
  if (templateUrl === undefined) throw new Error('This test needs a project with a database.');
  const url = new URL(templateUrl);
  url.pathname = name;
  return url.href;
}
