// The commands about roles, as the pages and deploy/postgres-roles.sql have them, on a PostgreSQL of their own by psql: the database
// is made, the owner migrates, the server works with its own role through everything that it does, and passwords are changed.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startThrowawayPostgres } from '../../../src/local/postgres/throwaway-postgres';
import { openDatabase } from '../../../src/merchant/platform/database';
import { payAndRefund } from '../../../test/support/orders';
import { programArguments } from '../../../test/support/processes';
import { queryOnce } from '../../../test/support/rows';
import { ROOT } from '../../../test/support/shop-copy';
import { startWorld } from '../../../test/support/world';

const SCRIPT = join(ROOT, 'deploy', 'postgres-roles.sql');
const hasPsql = spawnSync('psql', ['--version']).status === 0;
if (!hasPsql) console.warn('skipped, psql is not here (apt-get install postgresql-client).');
const describeWithPsql = hasPsql ? describe : describe.skip;
const PASSWORDS = { POSTGRES_PASSWORD: "owner's word", POSTGRES_RUNTIME_PASSWORD: 'runtime word' };

/** The block of a page that has this text. */
function blockWith(page: string, text: string): string {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(/```(?:sh|sql)\n([^]*?)```/g);
  const found = [...blocks].map(([, code = '']) => code).find((code) => code.includes(text));
  if (found === undefined) throw new Error(`${page} has no block with ${text}`);
  return found;
}

const TABLES_TOUCHED = [
  'drop table orders',
  'alter table refunds add x int',
  'truncate notes',
  'create table x ()',
];

describeWithPsql('the documented commands', () => {
  let postgres: Awaited<ReturnType<typeof startThrowawayPostgres>>;
  let adminUrl: string;
  const url = (role: string, password: string, database = 'merchant') => {
    const address = new URL(adminUrl);
    [address.username, address.password, address.pathname] = [role, encodeURIComponent(password), database];
    return address.href;
  };
  const owner = () => url('merchant', PASSWORDS.POSTGRES_PASSWORD);
  const runtime = () => url('merchant_runtime', PASSWORDS.POSTGRES_RUNTIME_PASSWORD);
  const admin = (sql: string, database = 'postgres') => queryOnce(url('admin', 'admin', database), sql);

  /** The command of docs/04-going-live.md with these variables. */
  function runScript(environment: Record<string, string>) {
    const line = blockWith('docs/04-going-live.md', '--file deploy/postgres-roles.sql');
    const command = line.replace(/^.*?(psql )/s, '$1');
    return spawnSync('sh', ['-c', command], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ADMIN_URL: adminUrl, ...environment },
    });
  }
  const command = (name: string, databaseUrl: Record<string, string>) =>
    spawnSync(process.execPath, programArguments(`merchant/cli/${name}`), {
      cwd: ROOT,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        DATA_DIR: folder,
        DATABASE_URL: '',
        ...databaseUrl,
      },
    });
  const folder = mkdtempSync(join(tmpdir(), 'roles-'));

  beforeAll(async () => {
    postgres = await startThrowawayPostgres();
    const first = postgres.url('postgres');
    await queryOnce(first, `create role admin superuser login password 'admin'`);
    adminUrl = first;
    adminUrl = url('admin', 'admin', 'postgres');
    // The superuser of this cluster has the name of our owner.
    await admin('alter role merchant rename to someone');
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('without a password psql exits with an error that says which, and nothing is made', async () => {
    const { status, stderr } = runScript({ POSTGRES_PASSWORD: 'only-the-owner' });
    expect([status, stderr]).toEqual([3, expect.stringContaining('set POSTGRES_RUNTIME_PASSWORD')]);
    expect(await admin(`select from pg_roles where rolname like 'merchant%'`)).toEqual([]);
    expect(await admin(`select from pg_database where datname = 'merchant'`)).toEqual([]);
  });

  test('a database of another encoding is refused, and psql exits with an error', async () => {
    await admin(`create database merchant encoding 'SQL_ASCII' locale 'C' template template0`);
    const { status, stderr } = runScript(PASSWORDS);
    expect([status, stderr]).toEqual([3, expect.stringContaining('is in SQL_ASCII, and must be in UTF8')]);
    await admin('drop database merchant');
    for (const role of ['merchant_runtime', 'merchant']) await admin(`drop role ${role}`);
  });

  test('make database and roles, also a second time, and print no password', async () => {
    for (const { status, stdout, stderr } of [runScript(PASSWORDS), runScript(PASSWORDS)]) {
      expect([status, stderr.replace(/^psql:.*(NOTICE|WARNING).*$/gm, '').trim()]).toEqual([0, '']);
      expect(stdout + stderr).not.toMatch(/owner's word|runtime word/);
    }
    const made = `select pg_get_userbyid(datdba) as owner, pg_encoding_to_char(encoding) as encoding from pg_database where datname = 'merchant'`;
    expect(await admin(made)).toEqual([{ owner: 'merchant', encoding: 'UTF8' }]);
  });

  test('migrate as the server says whose right is missing; with DATABASE_OWNER_URL it applies; then the server may run it', () => {
    const refused = command('migrate', { DATABASE_URL: runtime() });
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('set DATABASE_OWNER_URL')]);
    const applied = command('migrate', { DATABASE_URL: runtime(), DATABASE_OWNER_URL: owner() });
    expect([applied.status, applied.stdout]).toEqual([0, expect.stringMatching(/^Applied: /)]);
    const nothing = command('migrate', { DATABASE_URL: runtime() });
    expect([nothing.status, nothing.stdout]).toEqual([0, expect.stringMatching(/^Nothing to apply/)]);
  });

  test('restored signs in as the owner, sees a server that runs, and says to the role of the server what is missing', async () => {
    const server = openDatabase(runtime());
    try {
      await server.$queryRaw`select 1`;
      const seen = command('restored', { DATABASE_URL: runtime(), DATABASE_OWNER_URL: owner() });
      expect([seen.status, seen.stderr]).toEqual([
        1,
        expect.stringMatching(/1 other connections.*\(merchant\)/),
      ]);
    } finally {
      await server.$disconnect();
    }
    const refused = command('restored', { DATABASE_URL: runtime() });
    expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining('set DATABASE_OWNER_URL')]);
    const done = command('restored', { DATABASE_URL: runtime(), DATABASE_OWNER_URL: owner() });
    expect([done.status, done.stdout]).toEqual([0, expect.stringContaining('Start the server')]);
  });

  test.each(['the role of the server', 'the role that takes over from it'])(
    '%s does all that the server does, and can neither change nor create a table',
    async (which) => {
      const word = 'the next word';
      if (which.includes('takes over')) {
        const sql = blockWith('docs/07-maintenance.md', 'create role merchant_runtime_b').replace('…', word);
        writeFileSync(join(folder, 'rotation.sql'), sql);
        const run = spawnSync(
          'psql',
          [url('admin', 'admin'), '--set=ON_ERROR_STOP=1', '--file', join(folder, 'rotation.sql')],
          {
            encoding: 'utf8',
          },
        );
        expect([run.status, run.stderr]).toEqual([0, '']);
        await admin('alter role merchant_runtime nologin');
      }
      const server = which.includes('takes over') ? url('merchant_runtime_b', word) : runtime();
      const world = await startWorld({
        database: {
          url: url('admin', 'admin'),
          setReachable: () => Promise.resolve(),
          drop: () => Promise.resolve(undefined),
        },
        databaseThrough: () => Promise.resolve(server),
      });
      try {
        await payAndRefund(world);
        expect(await world.api('POST', '/api/members/member-7/erase')).toMatchObject({ status: 200 });
        // Every job once, and those that an age makes due: retention.
        await world.advance(500 * 86_400);
        await world.runEveryMinute(60);
        const failed =
          'select task_identifier, last_error from graphile_worker.jobs where last_error is not null';
        expect(await world.rows.query(failed)).toEqual([]);
      } finally {
        await world.close();
      }
      for (const sql of TABLES_TOUCHED)
        await expect(queryOnce(server, sql)).rejects.toThrow(/must be owner|permission denied/);
      // What a pooler relies on.
      const pooled = openDatabase(server, { isPooled: true });
      expect(await pooled.$queryRaw`select current_setting('statement_timeout') as limit`).toEqual([
        { limit: '2500ms' },
      ]);
      await pooled.$disconnect();
    },
  );
});

test('the script needs nothing that psql 14 does not have', () => {
  const commands = [...readFileSync(SCRIPT, 'utf8').matchAll(/^\\(\w+)|\\(gexec)$/gm)].map(
    ([, one, two]) => one ?? two,
  );
  expect(new Set(commands)).toEqual(new Set(['set', 'o', 'gexec', 'connect']));
});
