// Applies the migrations of `prisma/migrations` without Prisma's engine, which has to be downloaded. It keeps Prisma's
// own ledger (`_prisma_migrations`: same table, SHA-256, advisory lock), so `prisma migrate deploy` works in turn with
// it. Unlike Prisma, it applies a migration and its ledger row in one transaction.

import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runMigrations } from 'graphile-worker';
import { Client, Pool, type ClientConfig } from 'pg';
import { connectCode } from './database-pool';
import { CREATE_DATABASE, databaseReasonText } from './database-problems';
import { checkSession, connectionTo } from './database-session';
import { DatabaseError, INSUFFICIENT_PRIVILEGE } from './errors';

/** prisma/migrations of this repository. */
export const MIGRATIONS_FOLDER = join(__dirname, '..', '..', '..', 'prisma', 'migrations');

// The lock that Prisma takes as well, so that two concurrent runs follow each other.
const ADVISORY_LOCK = 72707369;

type LockWaits = {
  /** How long one try waits for a table lock. */
  tableMs: number;
  tries: number;
  /** Between two tries, so that the statements queued behind the first one run. */
  pauseMs: number;
  /** How long to wait for another run of migrations. */
  otherRunMs: number;
};

/**
 * While a migration waits for a table lock, all other statements on that table queue behind it. A request gives up
 * after 2 s (`database.ts`), so a try is shorter.
 */
const LOCK_WAITS: LockWaits = { tableMs: 1_000, tries: 10, pauseMs: 1_000, otherRunMs: 60_000 };

const LOCK_NOT_AVAILABLE = '55P03';
/** A table, a type or another object of this name is there already. */
const EXISTS_ALREADY = new Set(['42P07', '42710', '42723']);

const HAS_LEDGER = `select to_regclass('_prisma_migrations') is not null as exists`;

const LEDGER = `create table _prisma_migrations (
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
export type Migration = { name: string; sql: string; checksum: string };
type LedgerRow = { migration_name: string; checksum: string; finished_at: Date | null };

type AppliedMigrations = {
  /** The names of the missing migrations, in the order in which they were applied. */
  applied: string[];
  /** The names in the ledger that this code does not have: a newer version has run here. */
  unknown: string[];
};

type MigrateOptions = { folder?: string; waits?: LockWaits; alsoJobEngine?: boolean };

/**
 * Applies the missing migrations of a folder in the order of their names, then those of the job engine. Code older than the
 * database changes nothing and reports it as `unknown`: a rollback runs this step too.
 * @throws if some are missing and some unknown, because that order was never tested; if a migration was edited after it
 * was applied, or failed under Prisma (nothing has changed); if a lock was not free in time (nothing of that migration
 * remains)
 */
export async function migrateDatabase(
  databaseUrl: string,
  { folder = MIGRATIONS_FOLDER, waits = LOCK_WAITS, alsoJobEngine = true }: MigrateOptions = {},
): Promise<AppliedMigrations> {
  const connection = connectionTo(databaseUrl, { kind: 'owner' });
  const client = new Client({ ...connection, connectionTimeoutMillis: 10_000 });
  await client.connect().catch((error: unknown) => {
    throw new Error(databaseReasonText(connectCode(error)));
  });
  // A broken connection also fails the statement in progress.
  client.on('error', () => undefined);
  try {
    await checkSession(client, { hasLimits: false });
    await takeTurn(client, waits);
    const hasLedger = (await client.query<{ exists: boolean }>(HAS_LEDGER)).rows[0]?.exists === true;
    const migrations = await readMigrations(folder);
    const ledger = hasLedger ? (await client.query<LedgerRow>(READ_LEDGER)).rows : [];
    const missing = notApplied(migrations, ledger);
    const unknown = notKnown(migrations, ledger);
    if (missing.length > 0 && unknown.length > 0)
      throw new Error(await whoseTables(client, ledger.length === unknown.length, unknown));
    // A role without the right to create tables has nothing to do here if none is missing.
    if (!hasLedger) await client.query(LEDGER);
    for (const migration of missing) await applyOne(client, migration, waits);
    if (alsoJobEngine) await migrateJobEngine(connection);
    return { applied: missing.map(({ name }) => name), unknown };
  } catch (error) {
    if (error instanceof DatabaseError) throw new Error(databaseReasonText(error.code), { cause: error });
    if (codeOf(error) === INSUFFICIENT_PRIVILEGE) throw new Error(MUST_OWN, { cause: error });
    throw error;
  } finally {
    await client.end();
  }
}

async function migrateJobEngine(connection: ClientConfig): Promise<void> {
  const pool = new Pool({ ...connection, max: 1 });
  pool.on('error', () => undefined);
  pool.on('connect', (each) => each.on('error', () => undefined));
  try {
    await runMigrations({ pgPool: pool });
  } finally {
    await pool.end();
  }
}

const MUST_OWN =
  'This role may not change the tables: set DATABASE_OWNER_URL to the role that owns them, such as "merchant" of deploy/postgres-roles.sql. Nothing was changed.';
const OWN_DATABASE = `give the merchant a database of its own (${CREATE_DATABASE};), and name it in the URL. Nothing was changed.`;

/** @param isForeign whether none of our migrations was applied: the ledger may be that of another application */
async function whoseTables(client: Client, isForeign: boolean, unknown: readonly string[]): Promise<string> {
  if (!isForeign)
    return `The database has ${unknown.join(', ')}, which this code does not know: the database is newer, deploy the newer code.`;
  return `The database has ${shortened(unknown)}, which this code does not know, and no migration of this code. If its tables are those of another application (${await tablesShown(client)}): ${OWN_DATABASE} Otherwise the database is newer: deploy the newer code.`;
}

async function tablesShown(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%s (owner %s)', tablename, tableowner) as name from pg_tables
     where schemaname = 'public' and tablename <> '_prisma_migrations' order by 1`,
  );
  return rows.length > 0 ? shortened(rows.map(({ name }) => name)) : 'none is left';
}

function shortened(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
}

/**
 * Returns the names that this code needs and the database does not have. Throws if one that it needs was edited or has
 * failed. Migrations unknown to this code are ignored: while a new version is deployed, the old one keeps running
 * (src/EXTENDING.md, "expand, then contract").
 * @param query any way to run SQL, such as Prisma's `$queryRawUnsafe`: readiness checks the pool that it reports about
 */
export async function findMissingMigrations(
  query: Query,
  migrations: readonly Migration[],
): Promise<string[]> {
  const [ledger] = await query<{ exists: boolean }>(HAS_LEDGER);
  const rows = ledger?.exists ? await query<LedgerRow>(READ_LEDGER) : [];
  return notApplied(migrations, rows).map(({ name }) => name);
}

/** Returns them in the order in which they are applied. */
export async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

function notApplied(migrations: readonly Migration[], ledger: LedgerRow[]): Migration[] {
  const rows = new Map(ledger.map((row) => [row.migration_name, row]));
  for (const migration of migrations) {
    const row = rows.get(migration.name);
    const problem = row && problemWith(row, migration);
    if (problem) throw new Error(`Migration ${migration.name} ${problem}`);
  }
  return migrations.filter(({ name }) => !rows.has(name));
}

function notKnown(migrations: readonly Migration[], ledger: LedgerRow[]): string[] {
  const known = new Set(migrations.map(({ name }) => name));
  return ledger.map(({ migration_name: name }) => name).filter((name) => !known.has(name));
}

function problemWith(row: LedgerRow, migration: Migration): string | null {
  if (row.finished_at === null)
    return 'has failed before: repair the database, then mark the row in _prisma_migrations as rolled back.';
  if (migration.checksum !== row.checksum)
    return 'was edited after it had been applied: restore the file and write a new migration.';
  return null;
}

/** Waits until no other run of migrations is in progress. PostgreSQL releases the lock when this connection ends. */
async function takeTurn(client: Client, { otherRunMs }: LockWaits): Promise<void> {
  await client.query(`set lock_timeout = ${otherRunMs}`);
  await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK]).catch((error: Error) => {
    if (!isLockTimeout(error)) throw error;
    throw new Error(
      `Another run of migrations has not ended within ${otherRunMs / 1000} s: nothing was changed. See pg_stat_activity for it.`,
      { cause: error },
    );
  });
}

async function applyOne(client: Client, migration: Migration, waits: LockWaits): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryOne(client, migration, waits);
    } catch (error) {
      if (isLockTimeout(error) && tries < waits.tries) await pause(waits.pauseMs);
      else if (codeOf(error) === INSUFFICIENT_PRIVILEGE) throw error;
      else {
        const tables = EXISTS_ALREADY.has(codeOf(error)) ? await tablesShown(client) : null;
        const taken =
          tables === null
            ? ''
            : ` The database has tables already: ${tables}. If another application uses them, ${OWN_DATABASE}`;
        throw new Error(`Migration ${migration.name} ${whyNot(error, waits)}${taken}`, { cause: error });
      }
    }
  }
}

/**
 * Sends the file as one simple query, so that functions and several statements work. None may need to run outside a
 * transaction.
 * @throws the error of PostgreSQL, after a rollback, or ConnectionLost
 */
async function tryOne(
  client: Client,
  { name, sql, checksum }: Migration,
  { tableMs }: LockWaits,
): Promise<void> {
  const startedAt = new Date();
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = ${tableMs}`);
    await client.query(sql);
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       values ($1, $2, $3, $4, clock_timestamp(), 1)`,
      [randomUUID(), checksum, name, startedAt],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {
      throw new ConnectionLost((error as Error).message, { cause: error });
    });
    throw error;
  }
}

/** The rollback could not be sent either, so it is unknown whether a commit before it succeeded. */
class ConnectionLost extends Error {}

function whyNot(error: unknown, { tries, tableMs }: LockWaits): string {
  const { message } = error as Error;
  if (error instanceof ConnectionLost)
    return `lost its connection (${message}): it is applied as a whole or not at all, so run this again.`;
  if (isLockTimeout(error))
    return `could not be applied, nothing of it remains: in ${tries} tries of ${tableMs / 1000} s it did not get a lock. A long transaction holds it (see pg_stat_activity): end that one, or wait for it, and run this again.`;
  return `could not be applied, nothing of it remains: ${message}`;
}

function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}
