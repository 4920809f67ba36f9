// `npm run doctor -- --live` as a process in a folder that has nothing else, with its settings from the environment alone.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Check } from '../../merchant/cli/doctor-checks';

export type Diagnosis = Awaited<ReturnType<typeof askDoctor>>;

/** @param program Node's arguments to run the command */
export async function askDoctor(program: readonly string[], environment: NodeJS.ProcessEnv) {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  const child = spawn(process.execPath, [...program, '--live', '--json'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [exitCode]] = await Promise.all([
    text(child.stdout),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  rmSync(folder, { recursive: true, force: true });
  const { checks: items } = JSON.parse(output) as { checks: Check[] };
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

/** The body of the `curl` line for this path that a remedy shows. */
export function bodyShown(remedy: string | undefined, path: string): unknown {
  const [, body] = new RegExp(`^curl .* -d '([^']+)' "\\$MERCHANT${path}"$`, 'm').exec(remedy ?? '') ?? [];
  if (body === undefined) throw new Error(`doctor shows no request for ${path}`);
  return JSON.parse(body) as unknown;
}
