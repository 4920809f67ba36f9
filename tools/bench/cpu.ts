// CPU time of other processes, from /proc (Linux).

import { readdirSync, readFileSync } from 'node:fs';

/** A clock tick of Linux. */
const MS_PER_TICK = 10;

export function cpuMs(pid: number): number {
  const { user, system } = statOf(pid);
  return (user + system) * MS_PER_TICK;
}

/** The CPU time of a process and all its children, including ended ones. */
export function familyCpuMs(pid: number): number {
  const { user, system, endedUser, endedSystem } = statOf(pid);
  const own = (user + system + endedUser + endedSystem) * MS_PER_TICK;
  return childrenOf(pid).reduce((total, child) => total + cpuMs(child), own);
}

/** Of the processes that serve a connection to this database of PostgreSQL. */
export function connectionsCpuMs(postmaster: number, database: string): number {
  let total = 0;
  for (const pid of childrenOf(postmaster)) {
    const found = orNull(() => ({ title: readFileSync(`/proc/${pid}/cmdline`, 'utf8'), ms: cpuMs(pid) }));
    if (found?.title.includes(` ${database} `) && !found.title.includes('autovacuum')) total += found.ms;
  }
  return total;
}

/** Of the children of a process that have ended. */
export function endedCpuMs(pid: number): number {
  const { endedUser, endedSystem } = statOf(pid);
  return (endedUser + endedSystem) * MS_PER_TICK;
}

export function parentOf(pid: number): number {
  return statOf(pid).parent;
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((each) => Number.isInteger(each) && orNull(() => parentOf(each)) === pid);
}

/** A process may end meanwhile. */
function orNull<Seen>(look: () => Seen): Seen | null {
  try {
    return look();
  } catch {
    return null;
  }
}

/** /proc/<pid>/stat from its third field on, because the second, a name, may contain spaces. */
function statOf(pid: number) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (index: number) => Number(fields[index]);
  return { parent: at(1), user: at(11), system: at(12), endedUser: at(13), endedSystem: at(14) };
}
