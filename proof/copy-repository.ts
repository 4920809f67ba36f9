// A copy of this repository in a temporary folder, in which sources are changed on purpose: the originals are never written.

import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Packages are linked to. Nothing that is asked in a copy reads the others. */
const LEFT_OUT = new Set(['node_modules', '.git', '.data', 'dist', 'coverage', 'reports']);
const ROOT = join(__dirname, '..');

/** @returns the folder; `removeCopy` removes it */
export function copyRepository(name: string): string {
  const copy = mkdtempSync(join(tmpdir(), `${name}-`));
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

export function removeCopy(copy: string): void {
  rmSync(copy, { recursive: true, force: true });
}
