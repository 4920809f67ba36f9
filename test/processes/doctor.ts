// `npm run doctor` as a process in a folder that has nothing else, with its settings from the environment alone.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programArguments } from '../support/processes';

export type Item = { name: string; state: string; says: string; fix?: string };
export type Diagnosis = {
  exitCode: number | null;
  items: Item[];
  /** What is said of the check, or undefined where there is none. */
  item(name: string): Item | undefined;
  /** Names of the checks in this state. */
  in(state: string): string[];
};

/** @param root of the programs, or of a copy of them */
export async function runDoctor(environment: Record<string, string>, root: string): Promise<Diagnosis> {
  const { exitCode, output } = await runDoctorText(environment, root, '--live', '--json');
  const { checks: items } = JSON.parse(output) as { checks: Item[] };
  return {
    exitCode,
    items,
    item: (name) => items.find((each) => each.name === name),
    in: (state) => items.filter((each) => each.state === state).map(({ name }) => name),
  };
}

export async function runDoctorText(
  environment: Record<string, string>,
  root: string,
  ...args: string[]
): Promise<{ exitCode: number | null; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  const child = spawn(process.execPath, [...programArguments('merchant/cli/doctor', root), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  rmSync(folder, { recursive: true, force: true });
  return { exitCode, output };
}
