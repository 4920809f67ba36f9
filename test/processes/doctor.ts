// `npm run doctor -- --live` as a process in a folder that has nothing else, with its settings from the environment alone.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { programArguments } from '../support/processes';

type Item = { name: string; state: string; says: string; fix?: string };
export type Diagnosis = Awaited<ReturnType<typeof runDoctor>>;

/** @param root of the programs, or of a copy of them */
export async function runDoctor(environment: Record<string, string>, root: string) {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  const args = programArguments('merchant/cli/doctor', root);
  const child = spawn(process.execPath, [...args, '--live', '--json'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [exitCode]] = await Promise.all([
    text(child.stdout),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  rmSync(folder, { recursive: true, force: true });
  const { checks: items } = JSON.parse(output) as { checks: Item[] };
  return {
    exitCode,
    output,
    items,
    /** The text of the check, or undefined if there is none. */
    item: (name: string) => items.find((each) => each.name === name),
    /** Names of the checks in this state. */
    in: (state: string) => items.filter((each) => each.state === state).map(({ name }) => name),
  };
}
