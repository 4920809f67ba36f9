// `npm run check` checks types, lint, format, imports and unused code; `npm run check -- types lint` runs some of these checks.
// With `--fix`, format and lint fix what they can.

import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
const fix = given.includes('--fix');

/** The package, its program, and the arguments. */
const CHECKS = {
  types: ['typescript', 'bin/tsc', '--noEmit'],
  lint: ['eslint', 'bin/eslint.js', '.', ...(fix ? ['--fix'] : [])],
  format: ['prettier', 'bin/prettier.cjs', ...(fix ? ['--write', '--log-level=warn'] : ['--check']), '.'],
  imports: [
    'dependency-cruiser',
    'bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    '{src,test,bench,proof,scripts}',
  ],
  unused: ['knip', 'bin/knip.js', '--no-progress'],
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
  const [folder, file, ...args] = CHECKS[name];
  const program = join(root, 'node_modules', folder, file);
  return spawnSync(process.execPath, [program, ...args], { cwd: root, stdio: 'inherit' }).status === 0;
}
