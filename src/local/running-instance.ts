// A running `npm start` writes a file beside its data, so that a second start in the same folder can show where the first one
// runs. The file of a killed run names a process that no longer exists, and is ignored.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { commandLineOf, isAlive } from './postgres/processes';
import type { LocalSettings } from './settings';

const noteSchema = z.object({ pid: z.number(), sandboxPort: z.number().nullable() });

/** Returns the process id of the instance that runs or starts with these ports; null if there is none. */
export function findRunningInstance(settings: LocalSettings): number | null {
  try {
    const { pid, sandboxPort } = noteSchema.parse(JSON.parse(readFileSync(noteOf(settings), 'utf8')));
    const runs = pid !== process.pid && isAlive(pid) && /[\\/]local[\\/]start\.ts/.test(commandLineOf(pid));
    return runs && sandboxPort === settings.sandboxPort ? pid : null;
  } catch {
    return null;
  }
}

/** @returns a function that removes the file */
export function noteRunningInstance(settings: LocalSettings): () => void {
  mkdirSync(settings.dataDir, { recursive: true });
  const { sandboxPort } = settings;
  writeFileSync(noteOf(settings), JSON.stringify({ pid: process.pid, sandboxPort }));
  return () => rmSync(noteOf(settings), { force: true });
}

function noteOf({ dataDir, merchantPort }: LocalSettings): string {
  return join(dataDir, `running-${merchantPort}.json`);
}
