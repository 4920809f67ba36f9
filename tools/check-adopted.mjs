// `npm run adopt` writes repositories that work: with all options, with none, and with the default. Types pass in each, with lint of
// what differs from this repository, whose own types and lint are the first check; format and unused code in the last two, and imports
// in the one without options, which has no sandbox either. In one that has it the tests of what features share pass. `types` or
// `tests` runs one half.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { adopt, copyAll, ROOT, withCopies } from './proof/check-copies.mjs';

/**
 * Of what `npm test` runs in a copy without options: tests of what all features share (routes, commands, lists, events, the
 * member's page). The other tests of the core call the same routes, and `npm test` runs them.
 */
const CORE_TESTS = {
  flows: [
    ...['cards', 'cli', 'discrepancies', 'events', 'http', 'orders', 'reconciliation'].map(
      (name) => `test/flows/${name}`,
    ),
    'test/merchant/core/orders',
  ],
};
/** Slow tests about outages and connections, which no option affects. */
const LEFT_OUT = ['http/readiness', 'http/answer-headers', 'http/connections', 'events/deliver-to-url'].map(
  (name) => `flows/${name}.test.ts`,
);

const halves = process.argv.length > 2 ? process.argv.slice(2) : ['types', 'tests'];
const passed = await withCopies('check-adopted', async ({ folder, check, report }) => {
  const tests = halves.includes('tests') ? runCoreTests(folder, report) : null;
  if (halves.includes('types')) {
    const keep =
      (...args) =>
      (path) =>
        adopt(path, ...args);
    await check('this repository', copyAll);
    // Its files are those of this repository, whose imports and unused code scripts/check.mjs checks.
    await check('all options', keep('--keep', 'all'));
    await check('the default', keep(), ['unused', 'format']);
    await check('nothing but the kernel', keep('--keep', 'none', '--without-sandbox'), [
      'format',
      'imports',
      'unused',
    ]);
  }
  await tests;
});
process.exitCode = passed ? 0 : 1;

/** Runs in a process of its own, in parallel. */
async function runCoreTests(folder, report) {
  const since = performance.now();
  const path = join(folder, 'tests');
  adopt(path, '--keep', 'none');
  writeFileSync(join(path, 'test', 'groups', 'folders.json'), JSON.stringify(CORE_TESTS));
  for (const name of LEFT_OUT) rmSync(join(path, 'test', name));
  for (const name of readdirSync(join(path, 'test', 'groups')))
    if (name.startsWith('unit-')) rmSync(join(path, 'test', 'groups', name));
  const results = join(folder, 'results.json');
  const log = join(folder, 'log');
  const output = openSync(log, 'w');
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const child = spawn(process.execPath, [jest, '--json', `--outputFile=${results}`], {
    cwd: path,
    stdio: ['ignore', 'ignore', output],
  });
  const [code] = await once(child, 'close');
  closeSync(output);
  const problems = code === 0 ? '' : readFileSync(log, 'utf8');
  const count = problems === '' ? `${JSON.parse(readFileSync(results, 'utf8')).numPassedTests} ` : '';
  report(`no option: ${count}tests of the core`, since, problems);
}
