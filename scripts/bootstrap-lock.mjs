// Allows one bootstrap at a time in a clone. The lock file holds the process id of its owner, so that the lock of a killed run
// is recognised and taken over.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 10 * 60_000;

/** @param onWait is called once if another run holds the lock */
export async function withLock(file, work, onWait) {
  const until = Date.now() + PATIENCE_MS;
  let waits = false;
  while (!tryCreate(file)) {
    const owner = ownerOf(file);
    if (owner && !isAlive(owner)) removeStale(file, owner);
    else if (Date.now() > until)
      throw new Error(`Process ${owner} has been installing for long; if it is not, delete ${file}.`);
    else {
      if (!waits && owner) onWait(owner);
      waits ||= owner !== null;
      await pause(200);
    }
  }
  try {
    await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryCreate(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns null if the lock has just been released, or if its owner has not yet written its process id. */
function ownerOf(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || null;
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Renaming is atomic: if two runs find the same stale lock, only one of them can move it away. */
function removeStale(file, owner) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  // If a third run renewed the lock between check and rename, the lock is put back.
  if (ownerOf(aside) === owner) rmSync(aside);
  else renameSync(aside, file);
}
