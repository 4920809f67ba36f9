// `npm run bench -- size`: compares the product with data of several years and with almost none, in one run on one PostgreSQL:
// one notification, every list of the API, the recurring jobs, retention while notifications arrive, and the plans of the
// statements of a notification. Writes docs/project/performance/size.md.
// Linux only: CPU is read from /proc. Arguments: [payments, each notified once] [orders]

import type { Client } from 'pg';
import { API_KEY } from '../../test/support/config';
import { startMerchantProcess } from '../../test/support/processes';
import { createNotices, measure, medians, type Round } from './intake/measure';
import { startService, type Program } from './intake/start-programs';
import { send, type Load } from './load';
import { fillBooks, type BuiltIndex } from './size/fill-books';
import { captureHotStatements, readsOf } from './size/hot-plans';
import { deleteOnce, timeJobs, withContext } from './size/jobs';
import { timeLists, type Timed } from './size/lists';
import type { BookSizes } from './size/old-books';
import { writeSizePage, type Compared, type Retention } from './size/write-size-page';
import {
  builtMerchant,
  createMerchantDatabase,
  keepFromReconciling,
  onStage,
  postmasterOf,
  type Stage,
} from './stage';

const [PAYMENTS = 10_000_000, ORDERS = 1_000_000] = process.argv.slice(2).map(Number);
const BIG: BookSizes = { payments: PAYMENTS, orders: ORDERS, old: Math.min(100_000, PAYMENTS / 4) };
const EMPTY: BookSizes = { payments: 100, orders: 10, old: 0 };
const ROUNDS = 5;
const EACH = 3_000;
const ALONE = 300;
const WARM_UP = 2_000;
const EXPECTED = WARM_UP + ROUNDS * (EACH + ALONE) + 60_000;
/** Settings for a server with 8 GB; PostgreSQL's defaults are for much smaller ones. */
const settings = ['shared_buffers=2GB', 'max_wal_size=8GB', 'maintenance_work_mem=512MB'];

type Books = { program: Program; environment: Record<string, string>; sizes: BookSizes };

void onStage(
  async (stage) => {
    const serviceUrl = await startService(stage);
    const big = await openBooks(stage, 'big', BIG, serviceUrl);
    const empty = await openBooks(stage, 'empty', EMPTY, serviceUrl);
    const notification = await compareNotifications(big, empty);
    await printPlans(stage, empty);
    print('Lists, p95 in ms', await both(big, empty, ({ program, sizes }) => timeLists(program.port, sizes)));
    print(
      'Recurring jobs and their statements, median in ms',
      await both(big, empty, ({ environment, sizes }) =>
        withContext(environment, (context) => timeJobs(context, sizes)),
      ),
    );
    const retention = await compareRetention(big);
    await listIndexes(big.program.database);
    writeSizePage({ ...BIG, notification, retention });
  },
  { settings },
);

async function openBooks(stage: Stage, name: string, sizes: BookSizes, serviceUrl: string): Promise<Books> {
  const database = await createMerchantDatabase(stage, name);
  const started = performance.now();
  const built = await fillBooks(database, sizes);
  await database.query(
    `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
     select 'order-' || n, 'Tea', 1000, 'KRW', now(), now() from generate_series(1, $1::int) as n`,
    [EXPECTED],
  );
  await database.query('vacuum analyze orders');
  await printSize(database, name, built, (performance.now() - started) / 1_000);
  await keepFromReconciling(database);
  const environment = { SERVICE_BASE_URL: serviceUrl, DATABASE_URL: stage.databaseUrl(name) };
  const settings = {
    ...environment,
    SERVICE_V2_BASE_URL: serviceUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    API_KEY,
    // Prevents deletion of old rows before it is measured.
    KEEP_NOTIFICATIONS_DAYS: '3000',
  };
  const merchant = await startMerchantProcess(settings, { root: builtMerchant(stage) });
  stage.onEnd(() => merchant.kill('SIGINT'));
  const program: Program = {
    name: 'product',
    port: merchant.port,
    pid: merchant.pid,
    database,
    databaseName: name,
    postmaster: await postmasterOf(database),
    stop: () => merchant.kill('SIGINT'),
  };
  return { program, environment, sizes };
}

/** Rounds alternate, so that both run under the same conditions. */
async function compareNotifications(big: Books, empty: Books): Promise<Compared[]> {
  const all = [big, empty].map(({ program }) => ({
    program,
    take: createNotices(),
    busy: [] as Round[],
    alone: [] as Round[],
  }));
  for (const { program, take } of all) await measure(program, take(program, WARM_UP), 64);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { program, take, busy } of all) busy.push(await measure(program, take(program, EACH), 64));
    for (const { program, take, alone } of all) alone.push(await measure(program, take(program, ALONE), 1));
  }
  const [ours, theirs] = all.map(({ busy, alone }) => ({ busy: medians(busy), alone: medians(alone) }));
  if (!ours || !theirs) return [];
  const row = (what: string, of: 'busy' | 'alone', field: keyof Round): Compared => [
    what,
    ours[of][field],
    theirs[of][field],
  ];
  const compared = [
    row('64 connections: CPU ms', 'busy', 'cpu'),
    row('64 connections: PostgreSQL CPU ms', 'busy', 'databaseCpu'),
    row('64 connections: p50 ms', 'busy', 'p50'),
    row('64 connections: p99 ms', 'busy', 'p99'),
    row('1 connection: CPU ms', 'alone', 'cpu'),
    row('1 connection: PostgreSQL CPU ms', 'alone', 'databaseCpu'),
    row('1 connection: p50 ms', 'alone', 'p50'),
  ];
  title(`One notification, medians of ${ROUNDS} rounds`);
  for (const [what, full, few] of compared) line(what, full, few, 3);
  return compared;
}

/** Which indexes the statements of one notification read: with almost no rows, with 10,000, and with all. */
async function printPlans(stage: Stage, { environment }: Books): Promise<void> {
  const medium = await createMerchantDatabase(stage, 'medium');
  await fillBooks(medium, { payments: 10_000, orders: 10_000, old: 0 });
  await medium.query('vacuum analyze');
  const ids = { svcUid: `svc_${EXPECTED}`, merchantUid: `order-${EXPECTED}` };
  const statements = await captureHotStatements(environment, ids);
  const plans: string[][] = statements
    .filter(({ text }) => !/ (begin|commit)$/.test(text))
    .map(({ name }) => [name ?? '']);
  for (const database of ['empty', 'medium', 'big']) {
    const reads = await readsOf(stage.databaseUrl(database), statements);
    reads.forEach((read, index) => plans[index]?.push(read));
  }
  title('How the statements of a notification read: empty, 10,000 rows, full');
  for (const plan of plans) process.stdout.write(`${plan.join(' | ')}\n`);
}

async function both(
  big: Books,
  empty: Books,
  time: (books: Books) => Promise<Timed[]>,
): Promise<[Timed, Timed][]> {
  const ours = await time(big);
  const theirs = await time(empty);
  return ours.map((timed, index) => [timed, theirs[index] ?? { ...timed, p95: Number.NaN }]);
}

/** Runs the same closed loop of 16 connections before and during one pass, which deletes `BIG.old` notifications and related rows. */
async function compareRetention({ program, environment }: Books): Promise<Retention> {
  const take = createNotices();
  take(program, WARM_UP + ROUNDS * (EACH + ALONE));
  const before = await send(take(program, EACH), [program.port], 16);
  const during: Load[] = [];
  const { rows } = await program.database.query<{ count: string }>('select count(*) from notifications');
  const seconds = await withContext({ ...environment, KEEP_NOTIFICATIONS_DAYS: '400' }, async (context) => {
    let isOver = false;
    const deletion = deleteOnce(context).finally(() => (isOver = true));
    do during.push(await send(take(program, 1_000), [program.port], 16));
    while (!isOver);
    return deletion;
  });
  const { rows: after } = await program.database.query<{ count: string }>(
    'select count(*) from notifications',
  );
  const came = during.length * 1_000;
  const deleted = Number(rows[0]?.count) + came - Number(after[0]?.count);
  title('Retention while notifications come over 16 connections');
  process.stdout.write(`${deleted} notifications deleted within ${seconds.toFixed(1)} s\n`);
  const most = (field: keyof Load) => Math.max(...during.map((load) => load[field]));
  const compared: Compared[] = [
    ['p50 ms', most('p50'), before.p50],
    ['p99 ms (of the slowest thousand)', most('p99'), before.p99],
    ['longest ms', most('longest'), before.longest],
  ];
  for (const [what, loaded, alone] of compared) line(what, loaded, alone, 1);
  return { deleted, seconds, compared };
}

async function printSize(
  database: Client,
  name: string,
  built: BuiltIndex[],
  seconds: number,
): Promise<void> {
  const { rows } = await database.query<{ size: string; record: string }>(
    `select pg_size_pretty(pg_database_size(current_database())) as size,
       (select round(avg(pg_column_size(record))) from (select record from payments limit 1000) r) as record`,
  );
  title(
    `Database ${name}: ${rows[0]?.size}, filled in ${seconds.toFixed(0)} s, a record of ${rows[0]?.record} bytes`,
  );
  for (const index of built)
    if (index.seconds >= 0.5)
      process.stdout.write(
        `${index.name.padEnd(48)}${index.seconds.toFixed(1).padStart(8)} s${index.megabytes.toFixed(0).padStart(8)} MB\n`,
      );
}

/** Unused indexes first. */
async function listIndexes(database: Client): Promise<void> {
  const { rows } = await database.query<{ name: string; scans: string; size: string }>(
    `select indexrelname as name, idx_scan as scans, pg_size_pretty(pg_relation_size(indexrelid)) as size
     from pg_stat_user_indexes where schemaname = 'public' order by idx_scan, 1`,
  );
  title('Indexes, and how often they were used');
  for (const { name, scans, size } of rows)
    process.stdout.write(`${name.padEnd(56)}${scans.padStart(10)}${size.padStart(12)}\n`);
}

function print(what: string, rows: readonly [Timed, Timed][]): void {
  title(`${what}: full, empty, ratio`);
  for (const [ours, theirs] of rows) line(ours.what, ours.p95, theirs.p95, 1);
}

function title(text: string): void {
  process.stdout.write(`\n${text}\n`);
}

function line(what: string, ours: number, theirs: number, digits: number): void {
  const figures = [ours.toFixed(digits), theirs.toFixed(digits), (ours / theirs).toFixed(2)];
  process.stdout.write(`${what.padEnd(76)}${figures.map((figure) => figure.padStart(10)).join('')}\n`);
}
