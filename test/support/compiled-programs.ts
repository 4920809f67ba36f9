// The merchant, its commands and the sandbox, compiled as the tests are: they start in a third of the time that they need from
// their sources. What `npm run build` makes is run by image.test.ts and the benchmarks.

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformFileSync, type Options } from '@swc/core';

const ROOT = join(__dirname, '..', '..');
const COMPILED = ['src/merchant', 'src/sandbox', 'src/generated'];
const BESIDE = ['package.json', 'prisma', 'views'];
const OPTIONS: Options = {
  jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs', ignoreDynamic: true },
};

/** From where a test starts the programs: compiled in the project `processes` (processes-setup.ts), elsewhere our sources. */
export const programsFolder = (): string => process.env['TEST_PROGRAMS'] ?? ROOT;

/** Arguments with which Node runs a program, such as `merchant/server`: compiled if it is there, otherwise from its source. */
export function programArguments(program: string, root = programsFolder()): string[] {
  const compiled = join(root, 'src', `${program}.js`);
  if (existsSync(compiled)) return [compiled];
  return ['--require', require.resolve('tsx/cjs'), join(root, 'src', `${program}.ts`)];
}

/** Compiles the programs into a new folder, which the caller removes. */
export function compilePrograms(): string {
  const folder = mkdtempSync(join(tmpdir(), 'compiled-programs-'));
  compileInto(folder, ROOT);
  // Whatever sign-in a shop has put there: most tests are about something else, and their browsers bring none along.
  writeFileSync(
    join(folder, 'src/merchant/shop/current-member.js'),
    `module.exports = require('./built-in-members');\n`,
  );
  for (const path of BESIDE) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** @param root of the sources: may be the folder itself */
export function compileInto(folder: string, root: string): void {
  for (const part of COMPILED)
    for (const name of readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const compiled = join(folder, part, name.replace(/ts$/, 'js'));
      mkdirSync(dirname(compiled), { recursive: true });
      writeFileSync(compiled, transformFileSync(join(root, part, name), OPTIONS).code);
    }
}
