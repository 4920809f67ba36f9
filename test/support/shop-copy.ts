// A copy of the compiled programs in which an example of docs/examples replaces files of `src/merchant/shop`, or which represents
// a later version.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFolder, programsFolder } from './processes';

export const ROOT = join(__dirname, '..', '..');

export type ShopCopy = { root: string; remove(): void };

/** @param example a folder of docs/examples, copied over src/merchant */
export function copyWithExample(example: string): ShopCopy {
  const copy = copyPrograms(`${example}-`);
  layOver(copy, example);
  return copy;
}

/** A later version: our programs with one more migration. */
export function copyWithMigration(name: string, sql: string): ShopCopy {
  const copy = copyPrograms(`${name}-`);
  const folder = join(copy.root, 'prisma', 'migrations', name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'migration.sql'), sql);
  return copy;
}

/** The programs unchanged. */
export function copyPrograms(prefix: string): ShopCopy {
  const root = mkdtempSync(join(tmpdir(), prefix));
  cpSync(programsFolder(), root, { recursive: true });
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function layOver({ root }: ShopCopy, example: string): void {
  compileFolder(join(ROOT, 'docs', 'examples', example), join(root, 'src', 'merchant'));
}
