// A copy of the compiled programs in which a shop has put files of its own over those of `src/merchant/shop`: one of
// docs/examples. Or one that stands for a later version.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFolder, programsFolder } from './processes';

export const ROOT = join(__dirname, '..', '..');

export type ShopCopy = { root: string; remove(): void };

/** @param example a folder of docs/examples, laid over src/merchant */
export function copyWithExample(example: string): ShopCopy {
  const copy = copyPrograms(`${example}-`);
  layOver(copy, example);
  return copy;
}

/** A later version of the program: ours, with one more migration. */
export function copyWithMigration(name: string, sql: string): ShopCopy {
  const copy = copyPrograms(`${name}-`);
  const folder = join(copy.root, 'prisma', 'migrations', name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'migration.sql'), sql);
  return copy;
}

/** As they are shipped. */
export function copyPrograms(prefix: string): ShopCopy {
  const root = mkdtempSync(join(tmpdir(), prefix));
  cpSync(programsFolder(), root, { recursive: true });
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function layOver({ root }: ShopCopy, example: string): void {
  compileFolder(join(ROOT, 'docs', 'examples', example), join(root, 'src', 'merchant'));
}
