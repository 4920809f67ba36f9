// Measures one round of one program: its speed, and its CPU and PostgreSQL's.

import { readFileSync } from 'node:fs';
import { connectionsCpuMs, cpuMs, endedCpuMs } from '../cpu';
import { median, send, type Load, type Notice } from '../load';
import type { Program } from './start-programs';

/**
 * `cpu` and `databaseCpu` are milliseconds per notification, of the program and of PostgreSQL's processes for its connections.
 * Background work of PostgreSQL (vacuum, checkpoints) happens later and is not counted.
 */
export type Round = Load & { cpu: number; databaseCpu: number };

/** The next notifications of each program: one per payment. */
export function createNotices() {
  const taken = new Map<string, number>();
  return (program: Program, count: number): Notice[] => {
    const first = (taken.get(program.name) ?? 0) + 1;
    taken.set(program.name, first + count - 1);
    return Array.from({ length: count }, (_, index) => ({
      svc_uid: `svc_${first + index}`,
      merchant_uid: `order-${first + index}`,
    }));
  };
}

export async function measure(
  program: Program,
  notices: readonly Notice[],
  connections: number,
): Promise<Round> {
  const { pid, postmaster, databaseName } = program;
  // A connection that ends in between has left its time with the postmaster.
  const databaseMs = () => connectionsCpuMs(postmaster, databaseName) + endedCpuMs(postmaster);
  const before = { own: cpuMs(pid), database: databaseMs() };
  const load = await send(notices, [program.port], connections);
  const own = cpuMs(pid) - before.own;
  const database = databaseMs() - before.database;
  return { ...load, cpu: own / notices.length, databaseCpu: database / notices.length };
}

export function medians(rounds: readonly Round[]): Round {
  const of = (field: keyof Round) => median(rounds.map((round) => round[field]));
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    longest: of('longest'),
    cpu: of('cpu'),
    databaseCpu: of('databaseCpu'),
  };
}

/** The peak memory of a process so far, in MB. */
export function peakMemoryMb(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

/** The number of transactions since the database was created. */
export async function countCommits({ database }: Program): Promise<number> {
  const { rows } = await database.query<{ commits: string }>(
    'select xact_commit as commits from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.commits);
}
