// `npm run proof -- properties 20000` checks every property of the tests with that many values (default 1000). A second number is
// the seed of a run to repeat; without one, each run uses other values.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const ROOT = join(__dirname, '..', '..');
/** Up to this number of runs, jest's usual time-out is enough. */
const RUNS_OF_USUAL_TIMEOUT = 1000;
const USUAL_TIMEOUT_MS = 30_000;

function main([runs = '1000', seed]: string[]): number {
  const count = Number(runs);
  if (!Number.isSafeInteger(count) || count < 1) {
    console.error('Usage: npm run proof -- properties [runs, such as 20000] [seed]');
    return 2;
  }
  const timeoutMs = Math.ceil(Math.max(1, count / RUNS_OF_USUAL_TIMEOUT) * USUAL_TIMEOUT_MS);
  const { status } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
      ...['--selectProjects', 'unit', '--testTimeout', String(timeoutMs), '--runTestsByPath'],
      ...filesWithProperties(),
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        ...process.env,
        PROPERTY_RUNS: String(count),
        PROPERTY_SEED: seed ?? String(Date.now() % 2 ** 31),
      },
    },
  );
  return status ?? 1;
}

/** The files that use `test/support/property.ts`. */
function filesWithProperties(): string[] {
  return readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test${sep}${file}`)
    .filter((file) => readFileSync(join(ROOT, file), 'utf8').includes("support/property'"));
}

process.exitCode = main(process.argv.slice(2));
