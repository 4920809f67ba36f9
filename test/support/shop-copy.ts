// Copies of the programs: compiled ones, in which an example of docs/examples replaces files of `src/merchant/shop`, or which
// represent a later version; and the sources, for programs that run from them.

import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFolder, programsFolder, SHIPPED } from './processes';

export const ROOT = join(__dirname, '..', '..');
const OF_SOURCES = ['package.json', 'tsconfig.json', 'deploy', 'prisma', 'src', 'views'];

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
  const copy = emptyCopy(prefix);
  cpSync(programsFolder(), copy.root, { recursive: true });
  return copy;
}

/** The sources with the shop's files as shipped, and without a developer's `.env`. */
export function copySources(): ShopCopy {
  const copy = emptyCopy('sources-');
  for (const name of OF_SOURCES) cpSync(join(ROOT, name), join(copy.root, name), { recursive: true });
  cpSync(SHIPPED, join(copy.root, 'src', 'merchant', 'shop'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy.root, 'node_modules'));
  return copy;
}

function emptyCopy(prefix: string): ShopCopy {
  const root = mkdtempSync(join(tmpdir(), prefix));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function layOver({ root }: ShopCopy, example: string): void {
  compileFolder(join(ROOT, 'docs', 'examples', example), join(root, 'src', 'merchant'));
}
