// Samples of the merchants under load, and checks that they do not grow.

import { readdirSync } from 'node:fs';
import { ROWS_CONNECTION } from '../../../test/support/rows';
import { scrape } from '../alerts/scrapes';
import type { Ledger } from './ledger';
import type { Stage } from './stage';

export type Sample = {
  /** The maximum over the merchants. */
  memoryMb: number;
  heapMb: number;
  handles: number;
  /** Database connections of all merchants. They are opened on demand, and closed when idle. */
  connections: number;
  /** Rows of the job engine that are due or locked. */
  jobs: number;
  durationsMs: number[];
};

export async function takeSample({ rows, slots }: Stage, ledger: Ledger): Promise<Sample> {
  const merchants = await Promise.all(slots.map(measureMerchant));
  const most = (name: 'handles' | 'heapMb' | 'memoryMb') => Math.max(...merchants.map((each) => each[name]));
  const [counts] = await rows.query<{ connections: number; jobs: number }>(COUNTS);
  return {
    memoryMb: most('memoryMb'),
    heapMb: most('heapMb'),
    handles: most('handles'),
    connections: counts?.connections ?? 0,
    jobs: counts?.jobs ?? 0,
    durationsMs: ledger.durationsMs.splice(0),
  };
}

const COUNTS = `
  select (select count(*)::int from pg_stat_activity
          where datname = current_database() and application_name <> '${ROWS_CONNECTION}') as connections,
         (select count(*)::int from graphile_worker._private_jobs
          where locked_at is not null or (is_available and run_at <= now())) as jobs`;

const MB = 1024 * 1024;

async function measureMerchant({ url, merchant }: Stage['slots'][number]) {
  const { samples } = await scrape(url, Date.now());
  const valueOf = (name: string) => samples.find((sample) => sample.name === name)?.value ?? Number.NaN;
  return {
    memoryMb: valueOf('process_resident_memory_bytes') / MB,
    heapMb: valueOf('nodejs_heap_size_used_bytes') / MB,
    handles: countHandles(merchant?.pid, valueOf('nodejs_active_resources_total')),
  };
}

/** Open file descriptors if the host shows them, otherwise the open resources of Node.js. */
function countHandles(pid: number | undefined, resources: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return resources;
  }
}

/** A part of the run, in one line of the report. */
export type Stretch = {
  memoryMb: number;
  /** The minimum: memory that the collector cannot free. */
  heapMb: number;
  /** The minimum: handles that stay open between requests. */
  handles: number;
  /** The maximum. */
  connections: number;
  jobs: number;
  answers: number;
  p50Ms: number;
  p99Ms: number;
};

/** @param count of stretches of the same length */
export function toStretches(samples: readonly Sample[], count: number): Stretch[] {
  const length = Math.floor(samples.length / count);
  return Array.from({ length: count }, (_, index) => {
    const part = samples.slice(index * length, (index + 1) * length);
    const durations = part.flatMap(({ durationsMs }) => durationsMs).sort((one, other) => one - other);
    const middle = (name: 'jobs' | 'memoryMb') =>
      quantile(
        part.map((sample) => sample[name]).sort((one, other) => one - other),
        0.5,
      );
    return {
      memoryMb: middle('memoryMb'),
      heapMb: Math.round(Math.min(...part.map(({ heapMb }) => heapMb))),
      handles: Math.min(...part.map(({ handles }) => handles)),
      connections: Math.max(...part.map(({ connections }) => connections)),
      jobs: middle('jobs'),
      answers: durations.length,
      p50Ms: quantile(durations, 0.5),
      p99Ms: quantile(durations, 0.99),
    };
  });
}

function quantile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return Math.round(value * 10) / 10;
}

type Bound = { times: number; plus: number };
/**
 * Allowed growth from the first stretch to the last. Memory varies with the collector, and response times with other load on the
 * machine; a leak per request exceeds these bounds in a long run.
 */
const BOUNDS: Record<Exclude<keyof Stretch, 'answers' | 'connections'>, Bound> = {
  memoryMb: { times: 1.1, plus: 15 },
  heapMb: { times: 1.1, plus: 5 },
  handles: { times: 1, plus: 10 },
  jobs: { times: 1, plus: 5 },
  p50Ms: { times: 2, plus: 10 },
  p99Ms: { times: 3, plus: 250 },
};

/** Returns one sentence for each value that has grown. */
export function findGrowth(stretches: readonly Stretch[]): string[] {
  const first = stretches[0];
  const last = stretches.at(-1);
  if (!first || !last) return ['nothing was measured'];
  return Object.entries(BOUNDS).flatMap(([key, { times, plus }]) => {
    const name = key as keyof typeof BOUNDS;
    const isWithin = last[name] <= first[name] * times + plus;
    return isWithin ? [] : [`${name} has grown from ${first[name]} to ${last[name]}`];
  });
}
