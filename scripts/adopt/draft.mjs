// The repository is written to a folder beside its target, and renamed when it is complete.

import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { Refusal } from './refusal.mjs';

/** Ends what a person would lose: something in the folder, or a repository within this one. */
export function refuseUnlessEmpty(root, target) {
  if (!existsSync(dirname(target))) throw new Refusal(`There is no folder ${dirname(target)}.`);
  const isInside = !relative(root, target).startsWith('..');
  if (isInside) throw new Refusal(`${target} is inside this repository: name a folder outside.`);
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new Refusal(`${target} is not a folder.`);
  if (found && readdirSync(target).length > 0)
    throw new Refusal(`${target} is not empty: name a new or an empty folder.`);
}

/** @param work gets an empty folder on the disk of the target, which is removed at the end, and when this process is ended */
export async function withDraft(target, work) {
  removeLeftovers(target);
  const draft = `${prefixOf(target)}${process.pid}`;
  const remove = () => rmSync(draft, { recursive: true, force: true });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const end = (signal, number) => {
    remove();
    process.exit(128 + number);
  };
  for (const signal of signals) process.once(signal, end);
  mkdirSync(draft);
  try {
    await work(draft);
  } finally {
    for (const signal of signals) process.off(signal, end);
    remove();
  }
}

const prefixOf = (target) => join(dirname(target), `.${basename(target)}.adopt-`);

/** Those of runs that were killed. */
function removeLeftovers(target) {
  const prefix = basename(prefixOf(target));
  for (const name of readdirSync(dirname(target)))
    if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length))))
      rmSync(join(dirname(target), name), { recursive: true, force: true });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Windows renames to no folder that is there, not even an empty one. */
export function moveTo(draft, target) {
  if (existsSync(target)) rmdirSync(target);
  renameSync(draft, target);
}
