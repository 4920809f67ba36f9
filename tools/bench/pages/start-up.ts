// Measures a start: from the start of the process to the first 200 of /readyz, with a migrated, warm database. Once as
// `npm run tool -- merchant` starts it, and once compiled, as in the image.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuMs } from '../cpu';
import { median } from '../load';

export const WAYS = ['npm run tool -- merchant', 'compiled'] as const;
export type Way = (typeof WAYS)[number];
/** Milliseconds and MB. `longestMs`: the slowest start. `cpuMs`: until ready. */
export type StartUp = { way: Way; readyMs: number; longestMs: number; cpuMs: number; idleMb: number };

/** As scripts/run.mjs runs it. */
const FROM_SOURCES = ['--import', 'tsx', '--enable-source-maps', 'src/merchant/server.ts'];
const ROOT = join(__dirname, '..', '..', '..');
/** After this time the first jobs have run. */
const IDLE_AFTER_MS = 3_000;
const ASK_AGAIN_MS = 5;

/** One start and stop. `idleMb` is null unless the start waits for it. */
async function startOnce(
  way: Way,
  built: string,
  environment: Record<string, string>,
  { waits }: { waits: boolean },
): Promise<{ readyMs: number; cpuMs: number; idleMb: number | null }> {
  const args = way === 'compiled' ? ['src/merchant/server.js'] : FROM_SOURCES;
  const from = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: way === 'compiled' ? built : ROOT,
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  while (!(await isReady(port))) await pause(ASK_AGAIN_MS);
  const readyMs = performance.now() - from;
  const pid = child.pid ?? 0;
  const cpu = cpuMs(pid);
  if (waits) await pause(IDLE_AFTER_MS);
  const idleMb = waits ? memoryMb(pid) : null;
  child.kill('SIGINT');
  await once(child, 'exit');
  return { readyMs, cpuMs: cpu, idleMb };
}

export async function measureStarts(
  built: string,
  starts: number,
  environment: Record<string, string>,
): Promise<StartUp[]> {
  const seen = new Map(WAYS.map((way) => [way, [] as Awaited<ReturnType<typeof startOnce>>[]]));
  // The first start warms the caches of the disk and of tsx.
  for (let start = 0; start <= starts; start += 1)
    for (const way of WAYS) {
      const each = await startOnce(way, built, environment, { waits: start === starts });
      if (start > 0) seen.get(way)?.push(each);
    }
  return [...seen].map(([way, all]) => ({
    way,
    readyMs: median(all.map(({ readyMs }) => readyMs)),
    longestMs: Math.max(...all.map(({ readyMs }) => readyMs)),
    cpuMs: median(all.map((each) => each.cpuMs)),
    idleMb: all.find(({ idleMb }) => idleMb !== null)?.idleMb ?? 0,
  }));
}

/** The current memory of a process, in MB. */
export function memoryMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

/** Node's arguments in one of our npm scripts. */
function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path: '/readyz', agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode === 200));
    });
    asked.on('error', () => resolve(false));
  });
}
