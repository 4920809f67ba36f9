// Our runner, Prisma's ledger, prisma/migrations and prisma/schema agree with each other.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { loadPrismaView } from '../../scripts/schema-engine';
import {
  findMissingMigrations,
  migrateDatabase,
  readMigrations,
} from '../../src/merchant/platform/migrations';
import { eventually } from '../support/eventually';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/postgres';
import { queryOnce } from '../support/rows';

// Prisma checks a database that our runner has migrated.
test('creates what the schema describes, with a complete ledger', async () => {
  const prisma = await loadPrismaView();
  const { url, drop } = await createTestDatabase();
  expect(await prisma.missingSql(url)).toBeNull();
  expect(await prisma.diagnoseLedger(url)).toEqual({
    editedMigrationNames: [],
    failedMigrationNames: [],
    hasMigrationsTable: true,
    history: null,
  });
  await connectionsEnd(url);
  await drop();
});

/** A connection that the server ends, because the database is dropped, would cause an unhandled error. */
async function connectionsEnd(url: string): Promise<void> {
  const others = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await eventually(async () => (await queryOnce(url, others)).length === 0);
}

const SHORT_WAITS = { tableMs: 50, tries: 3, pauseMs: 10, otherRunMs: 60_000 };

describe('the runner', () => {
  let database: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await createEmptyDatabase();
    folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    await write('001_first', 'create table first (id int);');
  });
  afterEach(async () => {
    await connectionsEnd(database.url);
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const query = (sql: string) => queryOnce(database.url, sql);
  const apply = (waits?: typeof SHORT_WAITS) =>
    migrateDatabase(database.url, { folder, alsoJobEngine: false, ...(waits && { waits }) });
  const pending = async () =>
    findMissingMigrations((sql) => queryOnce(database.url, sql), await readMigrations(folder));
  const tables = async () => {
    const rows = await query(`select tablename from pg_tables where schemaname = 'public' order by 1`);
    return rows.map(({ tablename }) => tablename);
  };

  async function write(name: string, sql: string): Promise<void> {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'migration.sql'), sql);
  }

  const forget = (name: string) => rm(join(folder, name), { recursive: true });

  /** A connection that has run this, until `end()`. */
  async function somebody(sql: string): Promise<Client> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(sql);
    return client;
  }

  test('applies a folder without the job engine, which only the migration of a merchant brings', async () => {
    const hasEngine = async () =>
      (await query(`select from pg_namespace where nspname = 'graphile_worker'`)).length === 1;
    await apply();
    expect(await tables()).toEqual(['_prisma_migrations', 'first']);
    expect(await hasEngine()).toBe(false);
    await query('drop table first, _prisma_migrations');
    await migrateDatabase(database.url);
    expect(await hasEngine()).toBe(true);
  });

  test('applies missing migrations in order, once, and lists them', async () => {
    const aFunction = 'create function one() returns int language plpgsql as $$ begin return 1; end; $$;';
    await write('002_second', `${aFunction} create table second (id int);`);
    expect(await pending()).toEqual(['001_first', '002_second']);
    expect((await apply()).applied).toEqual(['001_first', '002_second']);
    expect(await apply()).toEqual({ applied: [], unknown: [] });
    expect(await pending()).toEqual([]);
  });

  test('lets two concurrent runs wait for each other', async () => {
    const both = await Promise.all([apply(), apply()]);
    expect(both.flatMap(({ applied }) => applied)).toEqual(['001_first']);
  });

  test('applies nothing if the code is older than the database, and names the migrations that the code does not know', async () => {
    await write('002_second', 'create table second (id int);');
    await apply();
    await forget('002_second');
    expect(await apply()).toEqual({ applied: [], unknown: ['002_second'] });
    expect(await pending()).toEqual([]);
    expect(await tables()).toEqual(['_prisma_migrations', 'first', 'second']);
  });

  test('gives up a migration whose table is locked, names it, changes nothing, and applies it later', async () => {
    await apply();
    await write('002_second', 'create table second (id int); alter table first add column note text;');
    const holder = await somebody('begin; lock table first in access share mode');
    await expect(apply(SHORT_WAITS)).rejects.toThrow(
      /002_second .*nothing of it remains.* 3 tries of 0.05 s .*lock/,
    );
    expect(await tables()).toEqual(['_prisma_migrations', 'first']);
    await holder.end();
    expect((await apply()).applied).toEqual(['002_second']);
  });

  test('waits a limited time for another run of migrations', async () => {
    const other = await somebody('select pg_advisory_lock(72707369)');
    await expect(apply({ ...SHORT_WAITS, otherRunMs: 50 })).rejects.toThrow(
      /Another run of migrations .*nothing was changed/,
    );
    expect(await tables()).toEqual([]);
    await other.end();
  });

  test('changes nothing by a migration that fails, and applies it once it is fixed', async () => {
    await write('002_second', 'create table second (id int); select 1 / 0;');
    await expect(apply()).rejects.toThrow(/002_second .*nothing of it remains/);
    expect(await tables()).toEqual(['_prisma_migrations', 'first']);
    await write('002_second', 'create table second (id int);');
    expect((await apply()).applied).toEqual(['002_second']);
  });

  test.each([
    ['edited', () => write('001_first', 'create table first (id bigint);'), /was edited/],
    ['unknown, beside one that is missing,', () => forget('001_first'), /001_first.*deploy the newer code/],
    ['failed', () => query('update _prisma_migrations set finished_at = null'), /has failed before/],
  ])('refuses a database with a migration that is %s, and changes nothing', async (_, spoil, sentence) => {
    await apply();
    await write('002_second', 'create table second (id int);');
    await spoil();
    await expect(apply()).rejects.toThrow(sentence);
    expect(await tables()).not.toContain('second');
  });
});
