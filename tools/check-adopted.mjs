// `npm run adopt` writes repositories that work: with all options, with none, and with the default. `npm run check` passes in each, and
// in one without options the tests of what features share.

import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { adopt, runTests, withCopies } from './proof/check-copies.mjs';

/**
 * Of what `npm test` runs in a copy without options: tests of what all features share (routes, commands, lists, the member's
 * page). The other tests of the core call the same routes, and `npm test` runs them.
 */
const CORE_TESTS = {
  flows: [
    ...['cards', 'cli', 'http', 'orders'].map((name) => `test/flows/${name}`),
    'test/merchant/core/orders',
  ],
};
/** Slow tests about outages and connections, which no option affects. */
const LEFT_OUT = ['readiness', 'answer-headers', 'connections'].map((name) => `flows/http/${name}.test.ts`);

const passed = await withCopies('check-adopted', ({ folder, check, report }) => {
  const adopted = (title, checks, ...args) => check(title, (path) => adopt(path, ...args), checks);
  runCoreTests(folder, report);
  // Its files are those of this repository, whose imports and unused code scripts/check.mjs checks.
  adopted('all options', ['lint'], '--keep', 'all');
  adopted('the default', ['lint', 'format', 'unused']);
  adopted(
    'nothing but the kernel',
    ['lint', 'format', 'imports', 'unused'],
    '--keep',
    'none',
    '--without-sandbox',
  );
});
process.exitCode = passed ? 0 : 1;

function runCoreTests(folder, report) {
  const since = performance.now();
  const path = join(folder, 'tests');
  adopt(path, '--keep', 'none');
  writeFileSync(join(path, 'test', 'groups', 'folders.json'), JSON.stringify(CORE_TESTS));
  for (const name of LEFT_OUT) rmSync(join(path, 'test', name));
  for (const name of readdirSync(join(path, 'test', 'groups')))
    if (name.startsWith('unit-')) rmSync(join(path, 'test', 'groups', name));
  // One worker, because other tests run meanwhile.
  const { passed, problems } = runTests(path, '--maxWorkers=1');
  report(`no option: ${passed} tests of the core`, since, problems);
}
