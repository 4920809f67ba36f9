// Brings the database to the state that this code expects. It applies the migrations of `prisma/migrations` and keeps
// Prisma's own ledger (`_prisma_migrations`: same table, SHA-256, advisory lock), because `prisma migrate deploy` needs
// an engine that has to be downloaded; where that works, both can be used in turn. Unlike Prisma, one migration and
// its ledger row are one transaction: it applies as a whole or not at all.

import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import { Client } from 'pg';

/** prisma/migrations of this repository. */
export const MIGRATIONS_FOLDER = join(__dirname, '..', '..', 'prisma', 'migrations');

// What Prisma takes as well, so that two that migrate at once follow each other.
const ADVISORY_LOCK = 72707369;

const LEDGER = `create table if not exists _prisma_migrations (
  id varchar(36) primary key not null,
  checksum varchar(64) not null,
  finished_at timestamptz,
  migration_name varchar(255) not null,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`;

const READ_LEDGER =
  'select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null';

export type Query = <Row>(sql: string) => Promise<Row[]>;
type Migration = { name: string; sql: string; checksum: string };
type LedgerRow = { migration_name: string; checksum: string; finished_at: Date | null };

/**
 * Applies what is missing, in the order of the names, and answers the names applied. Then the job engine's own schema.
 * Throws, with nothing changed, when a migration was edited after it was applied, failed under Prisma, or is unknown to
 * this code (the database is newer).
 */
export async function applyMigrations(databaseUrl: string, folder = MIGRATIONS_FOLDER): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl });
  // Where a name has several addresses, the error has a code and an empty message.
  await client.connect().catch(({ message, code }: Error & { code?: string }) => {
    throw new Error(`The database cannot be reached: ${message || code}`);
  });
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await client.query(LEDGER);
    const missing = notApplied(
      await readMigrations(folder),
      (await client.query<LedgerRow>(READ_LEDGER)).rows,
    );
    for (const migration of missing) await applyOne(client, migration);
    await runMigrations({ connectionString: databaseUrl });
    return missing.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * The names that `applyMigrations` would apply; it throws where that would. `query` is any way to run SQL, such as
 * Prisma's `$queryRawUnsafe`: readiness asks over the pool that it reports about.
 */
export async function pendingMigrations(query: Query, folder = MIGRATIONS_FOLDER): Promise<string[]> {
  const [ledger] = await query<{ exists: boolean }>(
    `select to_regclass('_prisma_migrations') is not null as exists`,
  );
  const rows = ledger?.exists ? await query<LedgerRow>(READ_LEDGER) : [];
  return notApplied(await readMigrations(folder), rows).map(({ name }) => name);
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

function notApplied(migrations: Migration[], ledger: LedgerRow[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of ledger) {
    const problem = problemWith(row, known.get(row.migration_name));
    if (problem) throw new Error(`Migration ${row.migration_name} ${problem}`);
  }
  const applied = new Set(ledger.map((row) => row.migration_name));
  return migrations.filter(({ name }) => !applied.has(name));
}

function problemWith(row: LedgerRow, migration: Migration | undefined): string | null {
  if (row.finished_at === null)
    return 'has failed before: repair the database, then mark the row in _prisma_migrations as rolled back.';
  if (!migration)
    return 'is in the database but not in this code: the database is newer, deploy the newer code.';
  if (migration.checksum !== row.checksum)
    return 'was edited after it had been applied: restore the file and write a new migration.';
  return null;
}

/** Sent as one simple query, so that functions and several statements work; none may need to be outside a transaction. */
async function applyOne(client: Client, { name, sql, checksum }: Migration): Promise<void> {
  const startedAt = new Date();
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       values ($1, $2, $3, $4, clock_timestamp(), 1)`,
      [randomUUID(), checksum, name, startedAt],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(
      `Migration ${name} could not be applied, nothing of it remains: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}
