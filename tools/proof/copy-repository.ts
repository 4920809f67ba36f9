// Copies this repository to a temporary folder, in which sources can be changed. The originals are never written.

import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Packages are linked; the other folders are not needed in a copy. */
const LEFT_OUT = new Set(['node_modules', '.git', '.data', 'dist', 'coverage', 'reports']);
const ROOT = join(__dirname, '..', '..');

/** @returns the folder; `removeCopy` removes it */
export function copyRepository(name: string): string {
  const copy = mkdtempSync(join(tmpdir(), `${name}-`));
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  for (const folder of ['.', 'scripts', 'tools'])
    symlinkSync(join(ROOT, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  return copy;
}

export function removeCopy(copy: string): void {
  rmSync(copy, { recursive: true, force: true });
}
