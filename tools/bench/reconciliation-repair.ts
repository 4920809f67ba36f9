// A thousand lost notifications among a hundred thousand payments: kills `reconcile`, runs it again, and compares both sides.
// Then, when everything matches, compares reconciliation with a bare loop that only downloads the same pages. Writes
// docs/08-scaling.md.
// Run: node --max-semi-space-size=64 --import tsx tools/bench/reconciliation-repair.ts [payments] [lost]

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { administer } from '../../src/local/postgres/databases';
import { startThrowawayPostgres } from '../../src/local/postgres/throwaway-postgres';
import { reconcile } from '../../src/merchant/core/reconciliation/reconcile';
import { FEATURES } from '../../src/merchant/features';
import { systemClock } from '../../src/merchant/platform/clock';
import { closeContext, createContext, type Context } from '../../src/merchant/platform/context';
import { createLogger } from '../../src/merchant/platform/logger';
import { migrateDatabase } from '../../src/merchant/platform/migrations';
import { loadConfig } from '../../src/merchant/settings';
import { startSandboxProcess } from '../../test/support/processes';
import { bothSides, downloadPages, fillBooks, fillSandbox } from './reconciliation-stage';
import { writeFigures } from './write-figures';

const PAYMENTS = Number(process.argv[2] ?? 100_000);
const LOST = Number(process.argv[3] ?? 1_000);
const ROUNDS = 5;
/** The goal, relative to the rate of a bare loop that downloads the same pages. */
const LOWEST_RATIO = 0.7;

type Environment = Record<string, string>;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'reconciliation-repair-'));
  const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const postgres = await startThrowawayPostgres();
    undo.push(postgres.stop);
    await administer(postgres.url('postgres'), 'create database bench');
    await migrateDatabase(postgres.url('bench'));
    fillSandbox(join(folder, 'sandbox'), PAYMENTS);
    const sandbox = await startSandboxProcess({ dataDir: join(folder, 'sandbox') });
    undo.push(() => sandbox.kill());
    const environment = {
      DATABASE_URL: postgres.url('bench'),
      SERVICE_BASE_URL: sandbox.url,
      SERVICE_V2_BASE_URL: sandbox.url,
      FORM_SECRET: 'form-secret-of-the-bench',
      MEMBER_SECRET: 'member-secret-of-the-bench',
      OPERATOR_PASSWORD: 'operator-password-of-the-bench',
      API_KEY: 'api-key-of-the-bench',
    };
    const pool = new Pool({ connectionString: environment.DATABASE_URL, max: 2 });
    undo.push(() => pool.end());
    // Lost payments are spread over all payments and kinds.
    const isLost = (order: string) => (Number(order.replace('order-', '')) * 7919) % PAYMENTS < LOST;
    await fillBooks(loadConfig(environment), pool, PAYMENTS, isLost);
    await repair(environment, pool);
    const equal = await compare(sandbox.url, pool);
    const quick = await measure(environment, sandbox.url);
    process.exitCode = equal && quick ? 0 : 1;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

async function repair(environment: Environment, pool: Pool): Promise<void> {
  const stored = async () =>
    Number((await pool.query<{ n: string }>('select count(*) as n from payments')).rows[0]?.n);
  const before = await stored();
  console.log(
    `${PAYMENTS.toLocaleString('en')} payments at the service, ${before.toLocaleString('en')} in the books`,
  );
  const killed = startReconcile(environment);
  while (killed.child.exitCode === null && (await stored()) < before + 0.4 * (PAYMENTS - before))
    await pause(5);
  killed.child.kill('SIGKILL');
  await killed.ended;
  console.log(`reconcile, killed (kill -9) after it had repaired ${(await stored()) - before}; run again:\n`);
  const started = performance.now();
  const again = startReconcile(environment);
  const code = await again.ended;
  console.log(
    `\nexit code ${code} after ${seconds(performance.now() - started)} s, the start of the process included`,
  );
}

function startReconcile(environment: Environment) {
  const script = join(__dirname, '../../src/merchant/cli/reconcile.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    env: { PATH: process.env['PATH'], DATA_DIR: join(tmpdir(), 'no-such-folder'), ...environment },
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  return { child, ended: once(child, 'exit').then(([code]) => code as number | null) };
}

async function compare(url: string, pool: Pool): Promise<boolean> {
  const { service, books } = await bothSides(url, pool);
  const equal = service.length === PAYMENTS && service.join('\n') === books.join('\n');
  console.log(
    `service ${service.length.toLocaleString('en')} payments, books ${books.length.toLocaleString('en')}, with the states of their orders: ${equal ? 'equal' : 'DIFFERENT'}`,
  );
  return equal;
}

type Spent = { ms: number; cpuMs: number };

/** Alternates in one process, so that other load of the machine affects both. */
async function measure(environment: Environment, url: string): Promise<boolean> {
  const context = createContext({
    config: loadConfig(environment),
    clock: systemClock,
    logger: createLogger('silent'),
    features: FEATURES,
  });
  const [bare, reconciled]: [Spent[], Spent[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const download = await spend(() => downloadAll(url));
    const reconciliation = await spend(() => reconcileAll(context));
    bare.push(download);
    reconciled.push(reconciliation);
  }
  await closeContext(context);
  const ratios = bare.map(({ ms }, round) => ms / (reconciled[round]?.ms ?? 0));
  const ms = (values: Spent[]) => `${Math.round(median(values.map((each) => each.ms)))} ms`;
  const cpu = (values: Spent[]) => `${Math.round(median(values.map((each) => each.cpuMs)))} ms`;
  writeFigures('reconciliation.md', {
    title: 'A reconciliation in which all is in step',
    command: `npm run bench -- reconciliation ${PAYMENTS} ${LOST}`,
    about: ABOUT,
    figures: [
      ['payments', String(PAYMENTS), ''],
      ['bare loop', ms(bare), ''],
      ['reconciliation', ms(reconciled), ''],
      ['rate to that of the bare loop', median(ratios).toFixed(2), `at least ${LOWEST_RATIO}`],
      ['the lowest and the highest of the rounds', `${lowest(ratios)} to ${highest(ratios)}`, ''],
      ['CPU of this process: bare loop', cpu(bare), ''],
      ['CPU of this process: reconciliation', cpu(reconciled), ''],
    ],
  });
  return median(ratios) >= LOWEST_RATIO;
}

const ABOUT = `One process takes turns, ${ROUNDS} rounds, and the medians count: a bare loop that downloads every page of 1,000 by status
with one token and parses it, and a reconciliation that goes back over all of them. The sandbox and PostgreSQL share the
machine. The reconciliation asks for the same pages in windows of time, so that some are not full, and before each window
how many there are; it compares each page with the books while the next one is on its way. Before that, the run has
repaired ${LOST} lost notifications, killed on its way and begun again, and has found both sides equal.`;

async function spend(act: () => Promise<void>): Promise<Spent> {
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  await act();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - started, cpuMs: (user + system) / 1_000 };
}

async function downloadAll(url: string): Promise<void> {
  let seen = 0;
  for await (const rows of downloadPages(url)) seen += rows.length;
  if (seen < PAYMENTS) throw new Error(`the bare loop saw ${seen} payments`);
}

async function reconcileAll(context: Context): Promise<void> {
  const report = await reconcile(context, { ninetyDays: true });
  const seen = Object.values(report?.lists ?? {}).reduce((sum, list) => sum + list.seen, 0);
  if (seen < PAYMENTS) throw new Error(`a reconciliation saw ${seen} payments`);
}

const median = (values: readonly number[]) => sorted(values)[Math.floor(values.length / 2)] ?? 0;
const lowest = (values: readonly number[]) => sorted(values)[0]?.toFixed(2);
const highest = (values: readonly number[]) => sorted(values).at(-1)?.toFixed(2);
const sorted = (values: readonly number[]) => values.toSorted((one, other) => one - other);
const seconds = (ms: number) => (ms / 1000).toFixed(1);

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
