// Starts and stops one PostgreSQL server process. It runs in its own session, so that Ctrl-C does not reach it directly. A guard
// process stops it if this process is killed (kill -9).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from './postgres-cluster';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;

// The pipe on stdin ends when this process closes it or is killed; SIGINT is PostgreSQL's fast shutdown. The guard must be a
// grandchild: PostgreSQL replaces the shell by exec, and restarts if an unknown child of its own ends.
const GUARDED = 'exec 3<&0; ( (read -r _ <&3; kill -INT $$) & ); exec 3<&-; exec "$@" </dev/null';

type Postmaster = { exited: Promise<void>; stop: () => Promise<void> };

/** Returns null if another program took the port in the meantime. */
export async function startPostmaster(
  cluster: Cluster,
  binary: string,
  port: number,
  settings: string[],
): Promise<Postmaster | null> {
  const { prefix, spawnOptions } = cluster.account;
  const logFile = join(cluster.folder, 'postgres.log');
  const log = openSync(logFile, 'w', 0o600);
  const options = ['-D', cluster.data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const [command = '', ...args] = [...prefix, '/bin/sh', '-c', GUARDED, 'guard', binary, ...options];
  const child = spawn(command, args, {
    ...spawnOptions,
    cwd: '/',
    detached: true,
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  const exited = once(child, 'exit').then(() => undefined);

  const until = Date.now() + START_TIMEOUT_MS;
  while (!isReady(cluster.data, child.pid)) {
    if (child.exitCode !== null || child.signalCode !== null) {
      const text = readFileSync(logFile, 'utf8');
      if (text.includes('could not create any TCP/IP sockets')) return null;
      throw new Error(`PostgreSQL did not start, see ${logFile}: ${lastErrorLine(text)}`);
    }
    if (Date.now() > until) {
      child.kill('SIGQUIT');
      throw new Error(`PostgreSQL was not ready after ${START_TIMEOUT_MS / 1000} s, see ${logFile}.`);
    }
    await pause(10);
  }
  return {
    exited,
    stop: async () => {
      child.stdin?.end();
      const stopped = await Promise.race([
        exited.then(() => true),
        pause(STOP_TIMEOUT_MS, false, { ref: false }),
      ]);
      if (stopped) return;
      child.kill('SIGQUIT');
      await exited;
    },
  };
}

/** The file of a killed run may also say "ready", but with another process id. */
function isReady(data: string, pid: number | undefined): boolean {
  const file = readPostmasterFile(data);
  return file?.status === 'ready' && file.pid === pid;
}

/** Reads postmaster.pid (its lines are documented by PostgreSQL). Returns null if the file does not exist. */
export function readPostmasterFile(data: string): { pid: number; port: number; status: string } | null {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? '' };
  } catch {
    return null;
  }
}

function lastErrorLine(log: string): string {
  return (
    log
      .trim()
      .split('\n')
      .findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? 'the log is empty'
  );
}
