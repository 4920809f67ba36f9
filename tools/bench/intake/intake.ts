// `npm run bench`: the cost of one notification: stored durably, re-fetched, compared with its order, written, answered with 200.
// It compares limit programs, the minimal example (examples/minimal) and the product, in alternating rounds on one machine. The
// ratios are comparable between machines, the figures are not. Linux only: CPU is read from /proc.
// Arguments: [notifications a round] [rounds] [old notifications in the product's tables] [burst]

import { setTimeout as pause } from 'node:timers/promises';
import { onStage } from '../stage';
import { countCommits, createNotices, measure, medians, peakMemoryMb, type Round } from './measure';
import { report, type Result } from './report';
import { PROGRAMS, startProgram, startService, type Program } from './start-programs';

const [EACH = 4_000, ROUNDS = 5, OLD = 300_000, BURST = 20_000] = process.argv.slice(2).map(Number);
const CONNECTIONS = 64;
const BURST_CONNECTIONS = 256;
/** Some seconds under full load: before that, the small programs run code that V8 has not compiled yet. */
const WARM_UP = 12_000;
const ALONE = Math.ceil(EACH / 10);

void onStage(async (stage) => {
  const orders = WARM_UP + ROUNDS * (EACH + ALONE) + BURST;
  const serviceUrl = await startService(stage);
  const programs: Program[] = [];
  for (const name of PROGRAMS)
    programs.push(await startProgram(stage, name, serviceUrl, { orders, old: OLD }));
  const results = await measureAll(programs, orders);
  report(results, { each: EACH, rounds: ROUNDS, old: OLD, burst: BURST, connections: CONNECTIONS });
});

async function measureAll(programs: readonly Program[], orders: number): Promise<Result[]> {
  const take = createNotices();
  const run = (program: Program, count: number, connections: number) =>
    measure(program, take(program, count), connections);
  for (const program of programs) await run(program, WARM_UP, CONNECTIONS);
  const commits = await Promise.all(programs.map(countCommits));
  const busy = programs.map((): Round[] => []);
  const alone = programs.map((): Round[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, program] of programs.entries())
      busy[index]?.push(await run(program, EACH, CONNECTIONS));
    for (const [index, program] of programs.entries()) alone[index]?.push(await run(program, ALONE, 1));
    process.stdout.write(`round ${round + 1} of ${ROUNDS}\n`);
  }
  const results: Result[] = [];
  for (const [index, program] of programs.entries()) {
    const started = performance.now();
    const burst = await run(program, BURST, BURST_CONNECTIONS);
    const answered = performance.now();
    await untilChecked(program, orders);
    const checkedIn = (performance.now() - started) / (answered - started);
    const spent = (await countCommits(program)) - (commits[index] ?? 0);
    results.push({
      name: program.name,
      busy: medians(busy[index] ?? []),
      alone: medians(alone[index] ?? []),
      burst,
      checkedIn,
      commits: spent / (ROUNDS * (EACH + ALONE) + BURST),
      memoryMb: peakMemoryMb(program.pid),
    });
  }
  return results;
}

/**
 * Resolves when every order is paid: the product checks a part of the burst after it has answered.
 * @throws if some are still unpaid after two minutes
 */
async function untilChecked({ name, database }: Program, orders: number): Promise<void> {
  const started = performance.now();
  for (;;) {
    const { rows } = await database.query<{ paid: number }>(
      `select count(*)::int as paid from orders o join payments p using (merchant_uid)
       where o.status = 'paid' and o.merchant_uid like 'order-%'`,
    );
    if (rows[0]?.paid === orders) return;
    if (performance.now() - started > 120_000)
      throw new Error(`${name}: ${rows[0]?.paid} of ${orders} orders are paid`);
    await pause(200);
  }
}
