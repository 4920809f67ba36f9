// Runs V8's sampling profiler (`--cpu-prof`) on a process, and evaluates its profile: self time by frame, within a time span.

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './stage';

type Frame = { functionName: string; url: string; lineNumber: number };
type CpuProfile = {
  nodes: { id: number; callFrame: Frame }[];
  /** Microseconds of the monotonic clock. */
  startTime: number;
  samples: number[];
  timeDeltas: number[];
};

/** Creates a profiler for one process and one time span. */
export function createProfiler({ folder }: Stage) {
  const profiles = join(folder, 'profiles');
  mkdirSync(profiles);
  const span = { from: 0, to: 0 };
  return {
    /** Start the process with these flags. */
    nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${profiles}`],

    async during<Result>(work: () => Promise<Result>): Promise<Result> {
      span.from = monotonicMicroseconds();
      const result = await work();
      span.to = monotonicMicroseconds();
      return result;
    },

    /** Prints the busiest places and functions. Call it after the process has ended, when its profile is written. */
    print(pid: number): void {
      const busy = timesBetween(readCpuProfile(profiles, pid), span.from, span.to);
      printShares(busy, placeOf, 30);
      printShares(busy, functionOf, 45);
    },
  };
}

/** The clock of profiles. */
function monotonicMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

function readCpuProfile(folder: string, pid: number): CpuProfile {
  const [file = ''] = readdirSync(folder).filter((name) => name.includes(`.${pid}.`));
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
}

/** Self time in microseconds by frame, while the server was not idle. */
function timesBetween(
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  from: number,
  to: number,
): Map<Frame, number> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<Frame, number>();
  let at = startTime;
  samples.forEach((id, index) => {
    const spent = timeDeltas[index] ?? 0;
    at += spent;
    const frame = frames.get(id);
    if (!frame || at < from || at > to || frame.functionName === '(idle)') return;
    times.set(frame, (times.get(frame) ?? 0) + spent);
  });
  return times;
}

/** The package, our own folder, or the module of Node. */
function placeOf({ functionName, url }: Frame): string {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  if (name !== undefined) return name;
  const [, own] = /\/src\/(.+?)(?:\?|$)/.exec(url) ?? [];
  if (own !== undefined) return own.startsWith('generated') ? 'prisma client' : own;
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/');
  return functionName.startsWith('(') ? functionName : 'V8 and native';
}

function functionOf(frame: Frame): string {
  return `${frame.functionName || '(anonymous)'} ${placeOf(frame)}:${frame.lineNumber + 1}`;
}

/** Prints the largest shares of the busy time. */
function printShares(times: Map<Frame, number>, keyOf: (frame: Frame) => string, most: number): void {
  const sums = new Map<string, number>();
  let total = 0;
  for (const [frame, time] of times) {
    total += time;
    sums.set(keyOf(frame), (sums.get(keyOf(frame)) ?? 0) + time);
  }
  for (const [key, time] of [...sums].sort(([, one], [, other]) => other - one).slice(0, most))
    process.stdout.write(`${((100 * time) / total).toFixed(1).padStart(5)} %  ${key}\n`);
  process.stdout.write('\n');
}
