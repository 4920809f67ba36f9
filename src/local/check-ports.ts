// Checks that the ports of `npm start` are free, before any part is started, and names the processes that listen there, as far
// as the system shows them.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { freePort } from './postgres/free-port';
import { commandLineOf } from './postgres/processes';
import type { LocalSettings } from './settings';

/** @throws Error that names every port in use, with the process that holds it if it is known */
export async function checkPorts({ merchantPort, sandboxPort }: LocalSettings): Promise<void> {
  const wanted = { PORT: merchantPort, ...(sandboxPort !== null && { SANDBOX_PORT: sandboxPort }) };
  const problems: string[] = [];
  for (const [name, port] of Object.entries(wanted)) {
    if (await isFree(port)) continue;
    const holder = findPortHolder(port);
    problems.push(
      `Port ${port} is in use${holder === null ? '' : ` by ${holder}`}: stop what listens there, or set ${name} to another port.`,
    );
  }
  if (merchantPort === sandboxPort)
    problems.push(`PORT and SANDBOX_PORT are both ${merchantPort}: they must differ.`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Some systems let one program listen on 127.0.0.1 while another listens on all addresses, so both are tried. */
async function isFree(port: number): Promise<boolean> {
  for (const host of ['0.0.0.0', '127.0.0.1']) if ((await freePort(port, host)) === null) return false;
  return true;
}

/** Returns a text such as "node src/server.ts (process 123)", or null if the process is unknown. */
function findPortHolder(port: number): string | null {
  const pid = existsSync('/proc/net/tcp') ? pidFromProc(port) : pidFromLsof(port);
  if (pid === null) return null;
  const name = shortName(commandLineOf(pid));
  return name === '' ? `process ${pid}` : `${name} (process ${pid})`;
}

/** The state of a listening socket in /proc/net/tcp. */
const LISTENS = '0A';

function pidFromProc(port: number): number | null {
  const inodes = ['tcp', 'tcp6'].flatMap((file) => listeningInodes(`/proc/net/${file}`, port));
  const wanted = new Set(inodes.map((inode) => `socket:[${inode}]`));
  const pids = wanted.size === 0 ? [] : namesIn('/proc').filter((name) => /^\d+$/.test(name));
  const pid = pids.find((each) =>
    namesIn(`/proc/${each}/fd`).some((fd) => wanted.has(linkOf(`/proc/${each}/fd/${fd}`))),
  );
  return pid === undefined ? null : Number(pid);
}

function listeningInodes(file: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return textOf(file)
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(suffix) && state === LISTENS)
    .flatMap(([, , , , , , , , , inode]) => inode ?? []);
}

function pidFromLsof(port: number): number | null {
  try {
    const options = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fp'];
    const text = execFileSync('lsof', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(/^p(\d+)$/m.exec(text)?.[1] ?? NaN) || null;
  } catch {
    return null;
  }
}

/** The program and its script, without other arguments, which may contain secrets. */
function shortName(commandLine: string): string {
  const [program = '', ...rest] = commandLine.trim().split(' ');
  const script = rest.find((word) => /\.[cm]?[jt]s$/.test(word));
  return [program.split('/').at(-1), ...(script === undefined ? [] : [script])].join(' ');
}

/** Folders of other users cannot be read, and a process may end meanwhile. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
