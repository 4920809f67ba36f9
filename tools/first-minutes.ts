// `npm run tool -- first-minutes`: measures each step from `git clone` to a paid order, in seconds. It clones the last commit into
// a temporary folder, runs on free ports, and removes everything at the end.

import { execFileSync, spawn, type ExecFileSyncOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../src/local/postgres/free-port';

const ROOT = join(__dirname, '..');
const BANNER_END = 'the next start finds the same data';
const ORDER = { merchant_uid: 'tea-1', name: 'Green tea', amount: 12_000 };
const PAID_WITHIN_MS = 30_000;

let total = 0;

async function main(): Promise<void> {
  // The signal also interrupts the running step, which then fails, and the folder is removed.
  process.on('SIGINT', () => undefined);
  const folder = mkdtempSync(join(tmpdir(), 'first-minutes-'));
  const clone = join(folder, 'clone');
  const [port, sandboxPort] = await freePorts(2);
  const environment = {
    ...withoutSettings(process.env),
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
  };
  const quiet: ExecFileSyncOptions = {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  };
  let running: Awaited<ReturnType<typeof startEverything>> | undefined;
  try {
    await timed('git clone', () =>
      execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone], quiet),
    );
    // Also part of `npm start`; measured here as a step of its own.
    await timed('packages and Prisma client', () =>
      execFileSync(process.execPath, ['scripts/bootstrap.mjs'], { ...quiet, cwd: clone }),
    );
    running = await timed('npm start, until its banner', () => startEverything(clone, environment));
    const key = readFileSync(join(clone, '.data', 'api-key.secret'), 'utf8').trim();
    const orders = `http://localhost:${port}/api/orders`;
    await timed('the order is registered', () => post(orders, ORDER, key));
    await timed('a buyer pays in the sandbox', () =>
      post(`http://localhost:${sandboxPort}/_sandbox/payments`, ORDER),
    );
    await timed('its notification has paid the order', () =>
      untilPaid(`${orders}/${ORDER.merchant_uid}`, key),
    );
    print('together', total);
  } finally {
    await running?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A bare clone has no settings. */
function withoutSettings(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = readFileSync(join(ROOT, '.env.example'), 'utf8').matchAll(/^# ([A-Z_]+)=/gm);
  const settings = new Set([...names].map(([, name]) => name));
  return Object.fromEntries(Object.entries(given).filter(([name]) => !settings.has(name)));
}

/** Runs in its own process group, which is interrupted as by Ctrl-C, also if this program is interrupted. */
async function startEverything(folder: string, environment: NodeJS.ProcessEnv) {
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await ended;
  };
  process.once('SIGINT', () => void stop());
  const output: string[] = [];
  const hasStarted = new Promise<boolean>((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      output.push(data.toString());
      if (output.join('').includes(BANNER_END)) resolve(true);
    });
    void ended.then(() => resolve(false));
  });
  if (!(await hasStarted)) throw new Error(`npm start has ended:\n${output.join('')}`);
  return { stop };
}

async function post(url: string, body: object, key?: string): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
}

async function untilPaid(url: string, key: string): Promise<void> {
  for (const end = performance.now() + PAID_WITHIN_MS; performance.now() < end; await pause(10)) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    if (((await response.json()) as { status?: string }).status === 'paid') return;
  }
  throw new Error('the order is not paid');
}

async function timed<Result>(step: string, work: () => Result | Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await work();
  const seconds = (performance.now() - began) / 1000;
  total += seconds;
  print(step, seconds);
  return result;
}

function print(step: string, seconds: number): void {
  console.log(`${step.padEnd(38)}${seconds.toFixed(2).padStart(7)} s`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
