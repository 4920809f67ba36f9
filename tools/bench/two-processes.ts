// The gain of a second merchant process: notifications of distinct payments, each stored, re-fetched, verified and written, with
// one process and with two on one durable PostgreSQL, and the sandbox as the service. All run on one machine, so the CPU per
// notification is the most reliable figure; its distribution shows the bottleneck.
// Run: npm run bench -- processes [notifications a round] [rounds] [connections]

import { availableParallelism } from 'node:os';
import type { Client } from 'pg';
import type { MerchantProcess } from '../../test/support/processes';
import { cpuMs, familyCpuMs } from './cpu';
import { median, send, type Load, type Notice } from './load';
import {
  createMerchantDatabase,
  keepFromReconciling,
  onStage,
  payAtService,
  postmasterOf,
  registerOrders,
  startMerchant,
  startSandbox,
  type Stage,
} from './stage';

const NOTIFICATIONS = Number(process.argv[2] ?? 3_000);
const ROUNDS = Number(process.argv[3] ?? 3);
/** Notifications for each process, because V8 optimises its functions in steps. */
const WARM_UP = 5_000;
const CONNECTIONS = Number(process.argv[4] ?? 128);
const LONGEST_MS = 15 * 60_000;

type Round = Omit<Load, 'longest'> & { cpu: Cpu };
/** Milliseconds of CPU per notification. */
type Cpu = { merchant: number; postgres: number; sandbox: number; load: number };

setTimeout(() => {
  console.error('This takes too long: given up.');
  process.exit(1);
}, LONGEST_MS).unref();
void onStage(main);

async function main(stage: Stage): Promise<void> {
  const database = await createMerchantDatabase(stage);
  await keepFromReconciling(database);
  const sandbox = await startSandbox(stage);
  const notices = await payAtService(sandbox.url, 'order', 2 * (WARM_UP + ROUNDS * NOTIFICATIONS));
  await registerOrders(database, notices);
  const merchants = await Promise.all([1, 2].map(() => startMerchant(stage, sandbox)));
  await measure(notices, merchants, sandbox.pid, await postmasterOf(database));
  await countConnections(database);
  await checkBooks(database, notices.length);
}

async function measure(notices: Notice[], merchants: MerchantProcess[], sandbox: number, postmaster: number) {
  const take = (count: number) => notices.splice(-count);
  const sent = { 1: [] as Round[], 2: [] as Round[] };
  const run = async (count: 1 | 2, notifications: number): Promise<Round> => {
    const used = merchants.slice(0, count);
    const cpu = () => ({
      merchant: sum(merchants.map(({ pid }) => cpuMs(pid))),
      postgres: familyCpuMs(postmaster),
      sandbox: cpuMs(sandbox),
      load: (process.cpuUsage().user + process.cpuUsage().system) / 1_000,
    });
    const before = cpu();
    const load = await send(
      take(notifications),
      used.map(({ port }) => port),
      CONNECTIONS,
    );
    const after = cpu();
    const each = (name: keyof Cpu) => (after[name] - before[name]) / notifications;
    const spent = { merchant: each('merchant'), postgres: each('postgres'), sandbox: each('sandbox') };
    return { ...load, cpu: { ...spent, load: each('load') } };
  };
  await run(2, 2 * WARM_UP);
  for (let round = 0; round < ROUNDS; round += 1) {
    sent[1].push(await run(1, NOTIFICATIONS));
    sent[2].push(await run(2, NOTIFICATIONS));
  }
  report(summary(sent[1]), summary(sent[2]));
}

function summary(rounds: Round[]): Round {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick));
  return {
    perSecond: of((round) => round.perSecond),
    p50: of((round) => round.p50),
    p99: of((round) => round.p99),
    cpu: {
      merchant: of((round) => round.cpu.merchant),
      postgres: of((round) => round.cpu.postgres),
      sandbox: of((round) => round.cpu.sandbox),
      load: of((round) => round.cpu.load),
    },
  };
}

function report(one: Round, two: Round): void {
  const row = ({ perSecond, p50, p99, cpu }: Round) => ({
    'notifications/s': Math.round(perSecond),
    'p50 ms': round(p50),
    'p99 ms': round(p99),
    'merchant CPU ms': round(cpu.merchant),
    'PostgreSQL CPU ms': round(cpu.postgres),
    'sandbox CPU ms': round(cpu.sandbox),
    'load CPU ms': round(cpu.load),
  });
  console.log(
    `${availableParallelism()} cores for everything, ${CONNECTIONS} connections, ${NOTIFICATIONS} notifications a round, medians of ${ROUNDS} rounds`,
  );
  console.table({ 'one process': row(one), 'two processes': row(two) });
  console.log(`rate: ${round(two.perSecond / one.perSecond)} times one process`);
  console.log(
    `merchant CPU per notification: ${round(two.cpu.merchant / one.cpu.merchant)} times one process`,
  );
  const cpu = sum(Object.values(one.cpu));
  console.log(`all CPU per notification: ${round(cpu)} ms, so ${availableParallelism()} cores end at`);
  console.log(`${Math.round((availableParallelism() * 1_000) / cpu)} notifications/s however many processes`);
}

async function countConnections(database: Client): Promise<void> {
  const { rows } = await database.query<{ held: number }>(
    `select count(*)::int as held from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  console.log(`connections that two processes hold: ${rows[0]?.held}`);
}

async function checkBooks(database: Client, expectedOpen: number): Promise<void> {
  const { rows } = await database.query<{ open: number; paid: number }>(
    `select count(*) filter (where status = 'open')::int as open,
       count(*) filter (where status = 'paid')::int as paid from orders`,
  );
  const [books] = rows;
  console.log(`books: ${books?.paid} orders paid, ${books?.open} open (expected ${expectedOpen})`);
  if (books?.open !== expectedOpen) process.exitCode = 1;
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
const round = (number: number) => Number(number.toFixed(2));
