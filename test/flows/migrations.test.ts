// Our runner, Prisma's ledger, prisma/migrations and prisma/schema.prisma agree with each other.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPrismaView, type PrismaView } from '../../scripts/schema-engine';
import { applyMigrations, pendingMigrations } from '../../src/merchant/migrations';
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
    expect(await applyMigrations(database.url, folder)).toEqual(['001_first', '002_second']);
    expect(await applyMigrations(database.url, folder)).toEqual([]);
    expect(await pending()).toEqual([]);
  });

  test('lets two that start at once follow each other', async () => {
    const both = [applyMigrations(database.url, folder), applyMigrations(database.url, folder)];
    expect((await Promise.all(both)).flat()).toEqual(['001_first']);
  });

  test('leaves nothing of a migration that fails, and applies it once it is mended', async () => {
    await write('002_second', 'create table second (id int); select 1 / 0;');
    await expect(applyMigrations(database.url, folder)).rejects.toThrow(/002_second .*nothing of it remains/);
    expect(await tables()).toEqual(['_prisma_migrations', 'first']);
    await write('002_second', 'create table second (id int);');
    expect(await applyMigrations(database.url, folder)).toEqual(['002_second']);
  });

  test.each([
    ['edited', () => write('001_first', 'create table first (id bigint);'), /was edited/],
    [
      'unknown to this code',
      () => rm(join(folder, '001_first'), { recursive: true }),
      /deploy the newer code/,
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
    await expect(pending()).rejects.toThrow(sentence);
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
