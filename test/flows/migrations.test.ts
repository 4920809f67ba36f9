// Our runner, Prisma's ledger, prisma/migrations and prisma/schema.prisma agree with each other.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { loadPrismaView, type PrismaView } from '../../scripts/schema-engine';
import { applyMigrations, pendingMigrations } from '../../src/merchant/migrations';
import { eventually } from '../support/eventually';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/postgres';
import { queryOnce } from '../support/rows';

describe('Prisma looking at a database that our runner has migrated', () => {
  let database: TestDatabase;
  let prisma: PrismaView;
  beforeAll(async () => {
    prisma = await loadPrismaView();
  });
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  test('finds what schema.prisma describes, and its ledger complete', async () => {
    expect(await prisma.missingSql(database.url)).toBeNull();
    expect(await prisma.diagnoseLedger(database.url)).toEqual({
      editedMigrationNames: [],
      failedMigrationNames: [],
      hasMigrationsTable: true,
      history: null,
    });
  });

  test('finds a drift and an edited migration', async () => {
    await queryOnce(database.url, 'alter table orders drop column name');
    await queryOnce(database.url, `update _prisma_migrations set checksum = repeat('0', 64)`);
    expect(await prisma.missingSql(database.url)).toContain('ADD COLUMN     "name"');
    expect((await prisma.diagnoseLedger(database.url)).editedMigrationNames).not.toEqual([]);
  });
});

const SHORT_WAITS = { tableMs: 50, tries: 3, pauseMs: 10, otherRunMs: 20_000 };

describe('the runner', () => {
  let database: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await createEmptyDatabase();
    folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    await write('001_first', 'create table first (id int);');
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  test('applies what is missing in order, once, and says so', async () => {
    await write(
      '002_second',
      'create function one() returns int language plpgsql as $$ begin return 1; end; $$; create table second (id int);',
    );
    expect(await pending()).toEqual(['001_first', '002_second']);
    expect((await applyMigrations(database.url, folder)).applied).toEqual(['001_first', '002_second']);
    expect(await applyMigrations(database.url, folder)).toEqual({ applied: [], unknown: [] });
    expect(await pending()).toEqual([]);
  });

  test('lets two that start at once follow each other', async () => {
    const both = [applyMigrations(database.url, folder), applyMigrations(database.url, folder)];
    expect((await Promise.all(both)).flatMap(({ applied }) => applied)).toEqual(['001_first']);
  });

  test('leaves nothing of a migration that fails, and applies it once it is mended', async () => {
    await write('002_second', 'create table second (id int); select 1 / 0;');
    await expect(applyMigrations(database.url, folder)).rejects.toThrow(/002_second .*nothing of it remains/);
    expect(await tables()).toEqual(['_prisma_migrations', 'first']);
    await write('002_second', 'create table second (id int);');
    expect((await applyMigrations(database.url, folder)).applied).toEqual(['002_second']);
  });

  test('has nothing to do for code that is older than the database, and names what that code does not know', async () => {
    await write('002_second', 'create table second (id int);');
    await applyMigrations(database.url, folder);
    await rm(join(folder, '002_second'), { recursive: true });
    expect(await applyMigrations(database.url, folder)).toEqual({ applied: [], unknown: ['002_second'] });
    expect(await pending()).toEqual([]);
    expect(await tables()).toEqual(['_prisma_migrations', 'first', 'second']);
  });

  test('gives up a migration whose table is held, names it, leaves nothing of it, and applies it afterwards', async () => {
    await applyMigrations(database.url, folder);
    await write('002_second', 'create table second (id int); alter table first add column note text;');
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin; lock table first in access share mode');
    const started = performance.now();
    await expect(applyMigrations(database.url, folder, SHORT_WAITS)).rejects.toThrow(
      /002_second .*nothing of it remains.* 3 tries of 0.05 s .*lock/,
    );
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(await tables()).toEqual(['_prisma_migrations', 'first']);
    await holder.query('rollback');
    expect((await applyMigrations(database.url, folder, SHORT_WAITS)).applied).toEqual(['002_second']);
    await holder.end();
  });

  test('tries again when a table is held for a moment', async () => {
    await applyMigrations(database.url, folder);
    await write('002_second', 'alter table first add column note text;');
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin; lock table first in access share mode');
    const applied = applyMigrations(database.url, folder, { ...SHORT_WAITS, tries: 1_000 });
    const failedTries = `select from pg_stat_database where datname = current_database() and xact_rollback > 0`;
    await eventually(async () => (await queryOnce(database.url, failedTries)).length > 0);
    await holder.end();
    expect((await applied).applied).toEqual(['002_second']);
  });

  test('does not wait without end for another run of migrations', async () => {
    const other = new Client({ connectionString: database.url });
    await other.connect();
    await other.query('select pg_advisory_lock(72707369)');
    await expect(applyMigrations(database.url, folder, { ...SHORT_WAITS, otherRunMs: 50 })).rejects.toThrow(
      /Another run of migrations .*nothing was changed/,
    );
    expect(await tables()).toEqual([]);
    await other.end();
  });

  test('says that a migration whose connection broke is whole or not there, and applies it the next time', async () => {
    await write('002_second', 'create table second (id int); select pg_sleep(60);');
    const failed = expect(applyMigrations(database.url, folder)).rejects.toThrow(
      /002_second lost its connection .*as a whole or not at all/,
    );
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_sleep(60)%'`;
    await eventually(async () => (await queryOnce(database.url, end)).length > 0);
    await failed;
    expect(await tables()).toEqual(['_prisma_migrations', 'first']);
    await write('002_second', 'create table second (id int);');
    expect((await applyMigrations(database.url, folder)).applied).toEqual(['002_second']);
  });

  test.each([
    ['edited', () => write('001_first', 'create table first (id bigint);'), /was edited/],
    [
      'unknown to this code, which has one that is missing,',
      () => rm(join(folder, '001_first'), { recursive: true }),
      /001_first.*deploy the newer code/,
    ],
    [
      'failed under Prisma',
      () => queryOnce(database.url, 'update _prisma_migrations set finished_at = null'),
      /has failed before/,
    ],
  ])('refuses a database with a migration that is %s, and changes nothing', async (_, spoil, sentence) => {
    await applyMigrations(database.url, folder);
    await write('002_second', 'create table second (id int);');
    await spoil();
    await expect(applyMigrations(database.url, folder)).rejects.toThrow(sentence);
    expect(await tables()).not.toContain('second');
  });

  async function write(name: string, sql: string): Promise<void> {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'migration.sql'), sql);
  }

  async function tables(): Promise<string[]> {
    const sql = `select table_name from information_schema.tables where table_schema = 'public' order by 1`;
    return (await queryOnce(database.url, sql)).map((row) => String(row['table_name']));
  }

  function pending(): Promise<string[]> {
    return pendingMigrations((sql) => queryOnce(database.url, sql), folder);
  }
});
