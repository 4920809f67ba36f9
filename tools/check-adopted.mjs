// `npm run adopt` writes repositories that work: with all options, with none, and with the default. Types, imports and unused code
// pass in each, and lint of what differs from this repository, whose own types and lint are the first check. In the one without
// options the tests of the core pass, one of which starts the programs as processes. `types` or `tests` as an argument runs one half.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { adopt, copyAll, ROOT, withCopies } from './proof/check-copies.mjs';

/**
 * What `npm test` runs in a copy without options: tests that load `features.ts`. The other unit tests of the core load no option,
 * as the check of imports proves, so they cannot end differently here.
 */
const CORE_TESTS = { flows: ['test/flows', 'test/merchant/core/orders'] };
/** Slow tests about outages, connections and the database itself. No option affects them, and `npm test` runs them. */
const LEFT_OUT = [
  ...['database-limits', 'database-roles', 'database-tls', 'migrations', 'pooler'],
  'http/readiness',
  ...['database-down', 'outage', 'paced', 'silent-connection', 'stored-and-unwritten'].map(
    (name) => `webhooks/${name}`,
  ),
  ...['backlog-statements', 'claims', 'newer-generation', 'notifications-by-time', 'signed'].map(
    (name) => `webhooks/${name}`,
  ),
  ...['answer-headers', 'connections'].map((name) => `http/${name}`),
  'events/deliver-to-url',
].map((name) => `flows/${name}.test.ts`);

const FEATURES = join('src', 'merchant', 'features.ts');
const CHECKS = ['imports', 'unused'];

const halves = process.argv.length > 2 ? process.argv.slice(2) : ['types', 'tests'];
const passed = await withCopies('check-adopted', async ({ folder, check, report }) => {
  const tests = halves.includes('tests') ? runCoreTests(folder, report) : null;
  if (halves.includes('types')) {
    const keep =
      (...args) =>
      (path) =>
        adopt(path, ...args);
    await check('this repository', copyAll, ['.']);
    await check('all options', keep('--keep', 'all'), [FEATURES], CHECKS);
    await check('the default', keep(), [FEATURES], [...CHECKS, 'format']);
    await check('no option', keep('--keep', 'none'), [join('src', 'merchant')], CHECKS);
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
