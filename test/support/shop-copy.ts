// A copy of the program in which a shop has put files of its own over those of `src/merchant/shop`: one of docs/examples.
// Or one that stands for a later version.

import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(__dirname, '..', '..');
/** What a running program consists of. */
export const COPIED = ['src', 'views', 'prisma', 'package.json', 'tsconfig.json'];

export type ShopCopy = { root: string; remove(): void };

/** @param example a folder of docs/examples, laid over src/merchant */
export function copyWithExample(example: string): ShopCopy {
  const copy = copyProgram(`${example}-`);
  layOver(copy, example);
  return copy;
}

/** A later version of the program: ours, with one more migration. */
export function copyWithMigration(name: string, sql: string): ShopCopy {
  const copy = copyProgram(`${name}-`);
  const folder = join(copy.root, 'prisma', 'migrations', name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'migration.sql'), sql);
  return copy;
}

/** As it is shipped. */
export function copyProgram(prefix: string): ShopCopy {
  const root = mkdtempSync(join(tmpdir(), prefix));
  for (const name of COPIED) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  // Here it may have been replaced.
  writeFileSync(join(root, 'src/merchant/shop/current-member.ts'), `export * from './built-in-members';\n`);
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function layOver({ root }: ShopCopy, example: string): void {
  cpSync(join(ROOT, 'docs', 'examples', example), join(root, 'src', 'merchant'), { recursive: true });
}
