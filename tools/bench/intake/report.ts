// Reports a run with its ratios and goals, on the terminal and in docs/project/performance/.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERFORMANCE_FOLDER, toMarkdownTable, whereMeasured, writePage } from '../write-page';
import type { Round } from './measure';
import type { ProgramName } from './start-programs';

export type Result = {
  name: ProgramName;
  busy: Round;
  alone: Round;
  burst: Round;
  /** The time until every notification of the burst is checked, as a multiple of the time until all were answered. */
  checkedIn: number;
  /** Transactions per notification. */
  commits: number;
  memoryMb: number;
};
type Run = { each: number; rounds: number; old: number; burst: number; connections: number };

const SVG = { width: 640, bar: 26, gap: 14, left: 130 };

export function report(results: Result[], run: Run): void {
  const table = toTable(results);
  const goals = toGoals(results);
  process.stdout.write(`\n${table}\n\n${goals}\n`);
  writePage('intake.md', toPage(table, goals, run));
  writeFileSync(join(PERFORMANCE_FOLDER, 'intake.svg'), toChart(results));
}

function toTable(results: Result[]): string {
  const header = ['', ...results.map(({ name }) => name)];
  const row = (label: string, pick: (result: Result) => number, digits: number) => [
    label,
    ...results.map((result) => pick(result).toFixed(digits)),
  ];
  const rows = [
    row('64 connections: CPU ms', ({ busy }) => busy.cpu, 3),
    row('64 connections: notifications/s', ({ busy }) => busy.perSecond, 0),
    row('64 connections: PostgreSQL CPU ms', ({ busy }) => busy.databaseCpu, 3),
    row('64 connections: p50 ms', ({ busy }) => busy.p50, 1),
    row('64 connections: p99 ms', ({ busy }) => busy.p99, 1),
    row('1 connection: p50 ms', ({ alone }) => alone.p50, 2),
    row('1 connection: CPU ms', ({ alone }) => alone.cpu, 3),
    row('1 connection: PostgreSQL CPU ms', ({ alone }) => alone.databaseCpu, 3),
    row('burst at 256: p50 ms', ({ burst }) => burst.p50, 0),
    row('burst at 256: p99 ms', ({ burst }) => burst.p99, 0),
    row('burst at 256: longest ms', ({ burst }) => burst.longest, 0),
    row('transactions each', ({ commits }) => commits, 2),
    row('most memory MB', ({ memoryMb }) => memoryMb, 0),
  ];
  return toMarkdownTable([header, ...rows]);
}

/** The goals of this run, each as a ratio. */
function toGoals(results: Result[]): string {
  const of = (name: ProgramName) => {
    const found = results.find((result) => result.name === name);
    if (!found) throw new Error(`${name} was not measured`);
    return found;
  };
  const [plain, books, minimal, product] = [
    of('plain limit'),
    of('same books'),
    of('minimal example'),
    of('product'),
  ];
  const atMost = (what: string, value: number, goal: number) => [what, value.toFixed(2), `at most ${goal}`];
  const atLeast = (what: string, value: number, goal: number) => [what, value.toFixed(2), `at least ${goal}`];
  return toMarkdownTable([
    ['Product, as a ratio', 'measured', 'goal'],
    atMost('CPU to the plain limit, 64 connections', product.busy.cpu / plain.busy.cpu, 1.8),
    atMost('CPU to the same books, 64 connections', product.busy.cpu / books.busy.cpu, 2.6),
    atMost('CPU to the minimal example, 64 connections', product.busy.cpu / minimal.busy.cpu, 0.17),
    atLeast('rate to the plain limit, 64 connections', product.busy.perSecond / plain.busy.perSecond, 0.75),
    atLeast(
      'rate to the minimal example, 64 connections',
      product.busy.perSecond / minimal.busy.perSecond,
      5,
    ),
    atMost('p50 to the plain limit, 1 connection', product.alone.p50 / plain.alone.p50, 2.5),
    atMost('p99 to p50 of the burst', product.burst.p99 / product.burst.p50, 10),
    atMost('all of the burst checked, to its time', product.checkedIn, 2),
    atMost('longest of the burst, s', product.burst.longest / 1_000, 25),
    atMost('most memory, MB', product.memoryMb, 250),
  ]);
}

function toPage(table: string, goals: string, run: Run): string {
  const { each, rounds, old, burst, connections } = run;
  return `# What one notification costs

Written by \`npm run bench -- ${each} ${rounds} ${old} ${burst}\` ${whereMeasured()}; sender, service,
PostgreSQL and programs share the machine. Medians of ${rounds} rounds that take turns, ${each} notifications each over
${connections} connections and a tenth of that over one; ${old} old notifications in the product's tables; then a burst of
${burst} over 256 connections. Every notification is of another payment and order.

![CPU for one notification](intake.svg)

${table}

${goals}

The programs are in \`tools/bench/intake/programs\`, and the
minimal example is \`examples/minimal\`: its notification is not stored before the check, and never retried. The limits check
no address, bound nothing, log nothing and retry nothing; the one with the same books also keeps versions, events and deliveries.
`;
}

function toChart(results: Result[]): string {
  const { width, bar, gap, left } = SVG;
  const most = Math.max(...results.map(({ busy }) => busy.cpu));
  const bars = results.map(({ name, busy }, index) => {
    const y = gap + index * (bar + gap);
    const length = ((width - left - 90) * busy.cpu) / most;
    const middle = y + bar / 2 + 4;
    return `<text x="${left - 8}" y="${middle}" text-anchor="end">${name}</text>
  <rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="${bar}" fill="${name === 'product' ? '#2563eb' : '#94a3b8'}"/>
  <text x="${(left + length + 6).toFixed(1)}" y="${middle}">${busy.cpu.toFixed(3)} ms</text>`;
  });
  const height = gap + results.length * (bar + gap);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="13" fill="#475569">
  <title>CPU of the server for one notification at 64 connections, in milliseconds</title>
  ${bars.join('\n  ')}
</svg>
`;
}
