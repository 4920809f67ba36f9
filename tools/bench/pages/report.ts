// Reports a run with its goals, on the terminal and in docs/08-scaling.md.

import { loadavg } from 'node:os';
import { median } from '../load';
import { toMarkdownTable, whereMeasured, writePage } from '../write-page';
import type { Figures } from './send-requests';
import type { StartUp } from './start-up';

/** `alone`: one connection. `busy`: sixteen. */
export type PageCost = { name: string; alone: Figures; busy: Figures };
/** One figure per round. */
export type RegistrationCost = Record<'product' | 'bare' | 'productAlone' | 'bareAlone', Figures[]>;
export type Results = {
  pages: PageCost[];
  bareForm: Figures;
  registrations: RegistrationCost;
  starts: StartUp[];
  memory: { idleMb: number; afterMb: number; requests: number };
};

export function report(results: Results, run: number[]): void {
  const tables = [pagesTable(results), registrationTable(results), startTable(results), goalsTable(results)];
  process.stdout.write(`\n${tables.join('\n\n')}\n`);
  writePage('pages.md', toPage(tables, results, run));
}

function pagesTable({ pages, bareForm }: Results): string {
  return toMarkdownTable([
    ['', 'CPU ms', 'CPU ms, 16', 'p50 ms', 'p95 ms', 'p99 ms', 'p50 ms, 16', 'p95 ms, 16', 'p99 ms, 16'],
    ...pages.map(({ name, alone, busy }) => [
      name,
      alone.cpu.toFixed(2),
      busy.cpu.toFixed(2),
      ...[alone.p50, alone.p95, alone.p99, busy.p50, busy.p95, busy.p99].map((ms) => ms.toFixed(1)),
    ]),
    [
      'bare Express page',
      bareForm.cpu.toFixed(2),
      '',
      ...[bareForm.p50, bareForm.p95, bareForm.p99].map((ms) => ms.toFixed(1)),
      ...['', '', ''],
    ],
  ]);
}

function registrationTable({ registrations }: Results): string {
  const { product, bare, productAlone, bareAlone } = registrations;
  const row = (label: string, one: Figures[], other: Figures[], of: keyof Figures) => {
    const [ours, theirs] = [middle(one, of), middle(other, of)];
    return [label, ours.toFixed(2), theirs.toFixed(2), (ours / theirs).toFixed(2)];
  };
  return toMarkdownTable([
    ['POST /cards', 'product', 'bare Express', 'ratio'],
    row('16 connections: CPU ms', product, bare, 'cpu'),
    row('16 connections: p50 ms', product, bare, 'p50'),
    row('16 connections: p95 ms', product, bare, 'p95'),
    row('16 connections: p99 ms', product, bare, 'p99'),
    row('1 connection: CPU ms', productAlone, bareAlone, 'cpu'),
    row('1 connection: p50 ms', productAlone, bareAlone, 'p50'),
    row('1 connection: p95 ms', productAlone, bareAlone, 'p95'),
  ]);
}

function startTable({ starts, memory }: Results): string {
  return toMarkdownTable([
    ['Start', 'ready ms', 'slowest ms', 'CPU ms', 'idle MB'],
    ...starts.map(({ way, readyMs, longestMs, cpuMs, idleMb }) => [
      way,
      ...[readyMs, longestMs, cpuMs, idleMb].map((value) => value.toFixed(0)),
    ]),
    [`the measured process, idle`, '', '', '', memory.idleMb.toFixed(0)],
    [`after everything and ${memory.requests} mixed requests`, '', '', '', memory.afterMb.toFixed(0)],
  ]);
}

function goalsTable({ pages, registrations, starts }: Results): string {
  const form = pages.find(({ name }) => name === 'GET /cards/new');
  const ratio = middle(registrations.product, 'cpu') / middle(registrations.bare, 'cpu');
  return toMarkdownTable([
    ['Goal', 'measured', 'at most'],
    ['card form, p95 ms', (form?.alone.p95 ?? NaN).toFixed(1), '10'],
    ['registration, CPU to the bare Express route', ratio.toFixed(2), '2'],
    ...starts.map(({ way, readyMs }) => [`start, ${way}, s`, (readyMs / 1_000).toFixed(2), '1']),
  ]);
}

function toPage(tables: string[], { memory }: Results, run: number[]): string {
  const [requests, registrations, rounds, starts] = run;
  return `# What pages, registrations, lists and a start cost

Written by \`npm run bench -- pages ${run.join(' ')}\` ${whereMeasured()}; sender, sandbox, PostgreSQL and programs
share the machine. Each page is asked for ${requests} times over one connection and as often over 16; a registration is
the median of ${rounds} rounds of ${registrations}, each by another member at another address with another card; a start is
the median of ${starts}. Lists read tables of 10,000 rows. CPU is that of the program alone, for one request. Memory is what
the process holds after a start, and again after ${memory.requests} mixed requests. Load average of the machine: ${(loadavg()[0] ?? 0).toFixed(1)};
where it is above the number of cores, other programs were running, and times say little: CPU and ratios count.

${tables.join('\n\n')}

The bare Express route is \`tools/bench/pages/programs/bare-express.ts\`. It checks no form, member or address, limits nothing,
logs nothing, and writes one row where the product writes each attempt before the call.
`;
}

function middle(rounds: readonly Figures[], of: keyof Figures): number {
  return median(rounds.map((round) => round[of]));
}
