// `npm run proof -- mutations`: in a copy of this repository, Stryker changes the code that decides about money, addresses and
// cards, one expression at a time, and the tests of the file must fail. `-- <part of a path> …` selects files. Exits with 1 if
// less than 90 % of the mutations of a file are detected.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { copyRepository, removeCopy } from '../copy-repository';
import { MUTATED } from './files';

/** Most failing properties fail within a few values. */
const PROPERTY_RUNS = '30';
const STRYKER = join('tools', 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
const CONFIG = join('tools', 'proof', 'mutations', 'stryker.config.json');

function main(parts: readonly string[]): void {
  const wanted = Object.entries(MUTATED).filter(
    ([file]) => parts.length === 0 || parts.some((part) => file.includes(part)),
  );
  if (wanted.length === 0) {
    process.stderr.write(`None of these has such a name: ${Object.keys(MUTATED).join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  const copy = copyRepository('mutations');
  try {
    const failed = wanted.filter(([file, tests]) => !isNoticed(copy, file, tests));
    process.exitCode = failed.length === 0 ? 0 : 1;
  } finally {
    removeCopy(copy);
  }
}

function isNoticed(copy: string, file: string, tests: readonly string[]): boolean {
  const { status } = spawnSync(
    process.execPath,
    [STRYKER, 'run', CONFIG, '--mutate', `src/merchant/${file}`],
    {
      cwd: copy,
      stdio: 'inherit',
      env: { ...process.env, MUTATION_TESTS: tests.join(), PROPERTY_RUNS },
    },
  );
  return status === 0;
}

main(process.argv.slice(2));
