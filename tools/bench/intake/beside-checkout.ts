// Compares the product with another commit in one run, to measure the cost of a change. Both are compiled, use their own
// migrations, and are warmed up under full load before they are measured in turn.
// `npm run bench -- beside <folder of a clone with its packages> [notifications a round] [rounds]`

import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { administer } from '../../../src/local/postgres/databases';
import { startMerchantProcess } from '../../../test/support/processes';
import { connectTo, keepFromReconciling, onStage, postmasterOf, type Stage } from '../stage';
import { createNotices, measure, medians, type Round } from './measure';
import { startService, type Program } from './start-programs';

const [folder, ...sizes] = process.argv.slice(2);
const [EACH = 4_000, ROUNDS = 7] = sizes.map(Number);
const ALONE = Math.ceil(EACH / 10);
const WARM_UP = 6_000;
const HERE = resolve(__dirname, '..', '..', '..');

async function startCheckout(stage: Stage, root: string, name: string, service: string): Promise<Program> {
  const built = join(stage.folder, name);
  execFileSync(process.execPath, ['scripts/build.mjs', built, '--noCheck'], { cwd: root });
  symlinkSync(join(root, 'node_modules'), join(built, 'node_modules'));
  const databaseUrl = stage.databaseUrl(name);
  await administer(stage.databaseUrl('postgres'), `create database ${name}`);
  execFileSync(process.execPath, ['--import', 'tsx', 'src/merchant/cli/migrate.ts'], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  const database = await connectTo(stage, name);
  await database.query(
    `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
     select 'order-' || n, 'Tea', 1000, 'KRW', now(), now() from generate_series(1, $1::int) as n`,
    [2 * (WARM_UP + ROUNDS * (EACH + ALONE))],
  );
  await keepFromReconciling(database);
  await database.query('vacuum analyze orders');
  const settings = {
    SERVICE_BASE_URL: service,
    SERVICE_V2_BASE_URL: service,
    TRUSTED_PROXIES: '127.0.0.1',
    DATABASE_URL: databaseUrl,
  };
  const { port, pid, kill } = await startMerchantProcess(settings, { root: built });
  const stop = () => kill('SIGINT');
  stage.onEnd(stop);
  const postmaster = await postmasterOf(database);
  return { name: 'product', port, pid, database, databaseName: name, postmaster, stop };
}

async function compare(stage: Stage, other: string): Promise<void> {
  const service = await startService(stage);
  const programs = {
    other: await startCheckout(stage, other, 'other', service),
    here: await startCheckout(stage, HERE, 'here', service),
  };
  type Name = keyof typeof programs;
  const names: Name[] = ['other', 'here'];
  const seen: Record<Name, { busy: Round[]; alone: Round[] }> = {
    other: { busy: [], alone: [] },
    here: { busy: [], alone: [] },
  };
  const take = createNotices();
  const run = (name: Name, count: number, connections: number) =>
    measure(programs[name], take(programs[name], count), connections);
  for (const name of names) await run(name, WARM_UP, 64);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      seen[name].busy.push(await run(name, EACH, 64));
      seen[name].alone.push(await run(name, ALONE, 1));
    }
  const print = (what: string, load: 'busy' | 'alone', pick: (round: Round) => number) => {
    const [theirs, ours] = names.map((name) => pick(medians(seen[name][load]))) as [number, number];
    const figures = [theirs.toFixed(3), ours.toFixed(3), (ours / theirs).toFixed(2)];
    console.log(what.padEnd(34) + figures.map((figure) => figure.padStart(11)).join(''));
  };
  console.log(''.padEnd(34) + ['other', 'here', 'ratio'].map((word) => word.padStart(11)).join(''));
  print('64 connections: CPU ms', 'busy', ({ cpu }) => cpu);
  print('64 connections: PostgreSQL CPU ms', 'busy', ({ databaseCpu }) => databaseCpu);
  print('64 connections: notifications/s', 'busy', ({ perSecond }) => perSecond);
  print('64 connections: p99 ms', 'busy', ({ p99 }) => p99);
  print('1 connection: p50 ms', 'alone', ({ p50 }) => p50);
  print('1 connection: CPU ms', 'alone', ({ cpu }) => cpu);
}

if (folder === undefined)
  throw new Error('Name the folder of a clone at the other commit, with its packages.');
void onStage((stage) => compare(stage, resolve(folder)));
