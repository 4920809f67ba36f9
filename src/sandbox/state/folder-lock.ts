// One process at a time writes a data folder. Its lock is a file that says who the process is. The lock of a process that has
// ended is taken over. On this machine the system tells whether it runs; a process in another container or on another machine
// touches its file every second. `npm start` uses this as well, for the folder around that of the sandbox.

import { execFileSync } from 'node:child_process';
import {
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

/**
 * `machine`: where its process id is valid. `where`: its addresses, and `setting`: the name of the setting for another
 * folder, both for people.
 */
const holderSchema = z.object({
  pid: z.number(),
  startedAt: z.string().nullable(),
  machine: z.string(),
  where: z.string(),
  setting: z.string(),
});
export type LockHolder = z.infer<typeof holderSchema>;

type LockFile = { number: number; path: string };

const NAME = /^lock-(\d+)\.json$/;
const TOUCH_EVERY_MS = 1_000;
/** A file that was touched longer ago belongs to nobody, if its process cannot be asked for. */
const FRESH_FOR_MS = 5_000;
const RETRY_MS = 50;

export class FolderInUse extends Error {
  /** Whether the process runs on this machine, outside other containers. */
  readonly isHere: boolean;

  constructor(
    folder: string,
    readonly holder: LockHolder,
  ) {
    const { pid, where, machine, setting } = holder;
    const isHere = machine === thisMachine();
    const whose = `process ${pid}${isHere ? '' : ` of another machine or container (${machine})`}`;
    super(
      `${folder} is in use by ${whose}, which runs at ${where}: stop it first, or set ${setting} to another folder.`,
    );
    this.isHere = isHere;
  }
}

type Lock = Pick<LockHolder, 'where' | 'setting'> & {
  folder: string;
  /** How long to wait for the end of a process that holds the folder. */
  patienceMs: number;
};

/**
 * Locks an existing folder.
 * @returns a function that releases it
 * @throws FolderInUse
 */
export async function lockFolder({ folder, patienceMs, ...texts }: Lock): Promise<() => void> {
  const until = performance.now() + patienceMs;
  const { pid } = process;
  const me = { pid, startedAt: startOf(pid), machine: thisMachine(), ...texts };
  for (;;) {
    const files = lockFilesIn(folder);
    const held = files.find(isHeld);
    if (held === undefined) {
      const release = tryToLock(folder, files, me);
      if (release !== null) return release;
    } else {
      const holder = holderOf(held);
      if (holder !== null && performance.now() >= until) throw new FolderInUse(folder, holder);
      await pause(RETRY_MS);
    }
  }
}

/**
 * A lock is taken over by a file with the next number, which only one process can create; no file of a running process is ever
 * removed. Returns null if another process was faster.
 */
function tryToLock(folder: string, ended: readonly LockFile[], me: LockHolder): (() => void) | null {
  const path = join(folder, `lock-${(ended.at(-1)?.number ?? 0) + 1}.json`);
  const remove = () => rmSync(path, { force: true });
  try {
    writeFileSync(path, JSON.stringify(me), { flag: 'wx', mode: 0o644 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    // A full disk leaves an empty file.
    remove();
    throw error;
  }
  // Locks may have been released and created between listing and creation.
  const others = lockFilesIn(folder).filter((file) => file.path !== path);
  if (others.some(isHeld)) {
    remove();
    return null;
  }
  for (const file of ended) rmSync(file.path, { force: true });
  const timer = setInterval(() => touch(path), TOUCH_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    remove();
  };
}

function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // The folder was deleted.
  }
}

function lockFilesIn(folder: string): LockFile[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const number = NAME.exec(name)?.[1];
      return number === undefined ? [] : [{ number: Number(number), path: join(folder, name) }];
    })
    .sort((one, other) => one.number - other.number);
}

function isHeld(file: LockFile): boolean {
  const holder = holderOf(file);
  return holder?.machine === thisMachine() ? isRunning(holder) : isFresh(file);
}

/** Returns null if the file is gone, or has no or only half of its content. */
function holderOf({ path }: LockFile): LockHolder | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error;
    return null;
  }
}

function isFresh({ path }: LockFile): boolean {
  const file = statSync(path, { throwIfNoEntry: false });
  return file !== undefined && Date.now() - file.mtimeMs < FRESH_FOR_MS;
}

/** A process of another user may be hidden: it is there, but the system does not tell when it started. */
function isRunning({ pid, startedAt }: LockHolder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return [startedAt, null].includes(startOf(pid));
}

/** Returns "ended" for a zombie, and null if the system does not tell. */
function startOf(pid: number): string | null {
  try {
    if (process.platform !== 'linux') return startFromPs(pid);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may contain anything. After it: the state, and 18 fields later the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function startFromPs(pid: number): string {
  const options = ['-p', String(pid), '-o', 'lstart='];
  // The same text whatever the zone and language of the caller.
  const env = { TZ: 'UTC', LC_ALL: 'C' };
  return execFileSync('/bin/ps', options, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Containers on one machine share the folder, but not the process ids. */
function thisMachine(): string {
  return [hostname(), ...pidNamespace()].join(' ');
}

function pidNamespace(): string[] {
  try {
    return [readlinkSync('/proc/self/ns/pid')];
  } catch {
    return [];
  }
}
