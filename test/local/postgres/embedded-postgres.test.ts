// The database of `npm start` keeps its data through stops and kills, and starts in spite of leftovers of other runs. It runs here
// in a temporary folder.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/local/postgres/embedded-postgres';
import { queryOnce } from '../../support/rows';

let folder: string;
let dataDir: string;
let running: EmbeddedPostgres[] = [];

beforeAll(async () => {
  folder = fs.mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
  fs.chmodSync(folder, 0o711);
  dataDir = join(folder, 'postgres');
  // The data that the tests start on.
  await (await start()).stop();
  running = [];
});
afterEach(async () => {
  for (const postgres of running.reverse()) await postgres.stop();
  running = [];
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, ports: [0], fast: true });
  running.push(postgres);
  return postgres;
}

test('keeps its data from one start to the next, with a password that only its owner can read', async () => {
  const first = await start();
  await query(first, 'create table kept (id int)');
  await first.stop();
  expect(await query(await start(), 'select count(*)::int as rows from kept')).toEqual([{ rows: 0 }]);
  expect(fs.statSync(join(dataDir, 'password')).mode & 0o077).toBe(0);
  const password = fs.readFileSync(join(dataDir, 'password'), 'utf8');
  expect(fs.readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain(password);
});

test('a second start waits until the server of the first has stopped, and shares it at no time', async () => {
  const first = await start();
  const second = start();
  expect(await Promise.race([second, pause(100, 'waits')])).toBe('waits');
  await first.stop();
  expect(await query(await second, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('stops by itself when its starter is killed, and starts again on the same data', async () => {
  const source = join(__dirname, '..', '..', '..', 'src', 'local', 'postgres', 'embedded-postgres.ts');
  const script = `require(${JSON.stringify(source)}).startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, ports: [0], fast: true })
    .then((postgres) => { console.log(postgres.url('postgres')); setInterval(() => {}, 1000); });`;
  const starter = spawn(process.execPath, ['--import', 'tsx', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(starter.stdout, 'data')) as [Buffer];
  const client = new Client({ connectionString: url.toString().trim() });
  // PostgreSQL reports the reason as an error before it closes the connection.
  const disconnected = new Promise<void>((resolve) => client.on('error', () => undefined).on('end', resolve));
  await client.connect();
  starter.kill('SIGKILL');
  await disconnected;
  expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('starts although postmaster.pid names a process that is now another program', async () => {
  const stale = [process.pid, join(dataDir, 'data'), 1, 5651, '', '127.0.0.1', '', 'ready', ''];
  fs.writeFileSync(join(dataDir, 'data', 'postmaster.pid'), stale.join('\n'), { mode: 0o644 });
  expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('data of another PostgreSQL version is refused with a sentence', async () => {
  const versionFile = join(dataDir, 'data', 'PG_VERSION');
  fs.writeFileSync(versionFile, '17\n');
  await expect(start()).rejects.toThrow('has data of PostgreSQL 17');
  fs.writeFileSync(versionFile, '18\n');
});

const query = (postgres: EmbeddedPostgres, sql: string) => queryOnce(postgres.url('postgres'), sql);
