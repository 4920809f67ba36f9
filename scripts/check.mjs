// `npm run check` checks types and lint, format, imports and unused code; `npm run check -- lint format` runs some of these checks.
// With `--fix`, format and lint fix what they can. The programs are packages of this folder.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The linter finds the program of its types there. */
const PATH = [join(root, 'scripts', 'node_modules', '.bin'), process.env.PATH].join(delimiter);
/** For the linter's program of types, which is written in Go: a sixth less CPU for a tenth more memory. */
const GOGC = '400';
const given = process.argv.slice(2);
const fix = given.includes('--fix');

/** The program of each check, and its arguments. */
const CHECKS = {
  // The linter has the types, and reports their errors too.
  lint: [
    'scripts/node_modules/oxlint/bin/oxlint',
    '--config=scripts/oxlint.json',
    '--type-aware',
    '--type-check',
    // The packages that it imports are those of the example.
    '--ignore-pattern=examples/minimal/prisma.config.ts',
    ...(fix ? ['--fix'] : []),
  ],
  format: [
    'scripts/node_modules/oxfmt/bin/oxfmt',
    '--config=scripts/oxfmt.json',
    fix ? '--write' : '--check',
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
  const { status } = spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: root,
    env: { ...process.env, PATH, GOGC },
    stdio: 'inherit',
  });
  return status === 0;
}
