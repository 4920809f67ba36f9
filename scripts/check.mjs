// `npm run check` checks types, lint, format, imports and unused code; `npm run check -- types lint` runs some of these checks.
// With `--fix`, format and lint fix what they can. Most programs are packages of this folder.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const fix = given.includes('--fix');

/** The program of each check, and its arguments. */
const CHECKS = {
  types: ['node_modules/typescript/bin/tsc', '--noEmit'],
  lint: [
    'scripts/node_modules/eslint/bin/eslint.js',
    '--config',
    'scripts/eslint.config.mjs',
    '.',
    ...(fix ? ['--fix'] : []),
  ],
  format: [
    'scripts/node_modules/prettier/bin/prettier.cjs',
    ...(fix ? ['--write', '--log-level=warn'] : ['--check']),
    '.',
    '!**/generated/**',
  ],
  imports: [
    'scripts/node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    'scripts/dependency-cruiser.cjs',
    ...['src', 'test', 'scripts', 'tools'].filter((folder) => existsSync(join(root, folder))),
  ],
  unused: ['scripts/node_modules/knip/bin/knip.js', '--no-progress'],
};

const named = given.filter((name) => name !== '--fix');
const unknown = named.filter((name) => !(name in CHECKS));
if (unknown.length > 0) {
  console.error(`Unknown check "${unknown[0]}". Checks: ${Object.keys(CHECKS).join(', ')}`);
  process.exitCode = 2;
} else {
  const names = named.length > 0 ? named : Object.keys(CHECKS);
  process.exitCode = names.every(passes) ? 0 : 1;
}

function passes(name) {
  const [program, ...args] = CHECKS[name];
  return (
    spawnSync(process.execPath, [join(root, program), ...args], { cwd: root, stdio: 'inherit' }).status === 0
  );
}
