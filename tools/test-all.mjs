// `npm run test:all`: everything that must pass before a change is merged. It installs the packages, runs `npm test`, then the rest,
// and stops at the first failed step. The last line counts the tests: "N passed, N failed". With `-- <script>` that script installs
// the programs that the other tests start, while `npm test` runs.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const results = mkdtempSync(join(tmpdir(), 'test-all-'));
/** The projects that `npm test` leaves out: a browser, processes on a real clock, this repository, and what proves the programs. */
const REST = ['--selectProjects', 'browser', 'processes', 'repository', 'proofs'];

/** They do not depend on the time that they get, so they run beside the tests, which often wait. */
const CHECKS = ['scripts/check.mjs', 'tools/check-adopted.mjs'];

const total = { passed: 0, failed: 0 };
const [script] = process.argv.slice(2);
// `npm test` does not need these programs, and their installation waits for the network.
const programs = script === undefined ? true : run(['bash', join(root, script)]);
let passed = await step('packages', () =>
  run([process.execPath, join(root, 'scripts', 'bootstrap.mjs'), '--tools']),
);
const ends = passed ? CHECKS.map(startBeside) : [];
passed &&= await step('npm test', () => testRun((report) => ['npm', 'test', '--', ...report]));
passed = (await programs) && passed;
if (passed) passed = await step('browser, processes, repository, proofs', restRun);
for (const end of ends) passed = (await end()) && passed;
rmSync(results, { recursive: true, force: true });
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = passed ? 0 : 1;

async function step(name, act) {
  console.log(`\n== ${name}`);
  const since = performance.now();
  const isPassed = await act();
  console.log(`== ${name}: ${isPassed ? 'passed' : 'FAILED'} after ${seconds(since)} s`);
  return isPassed;
}

/**
 * Starts a script in parallel with the steps.
 * @returns a function that waits for its end
 */
function startBeside(script) {
  const log = join(results, `${basename(script)}.log`);
  const output = openSync(log, 'w');
  const ended = run([process.execPath, join(root, script)], output);
  return async () => {
    const since = performance.now();
    const isPassed = await ended;
    closeSync(output);
    console.log(`\n== ${script}, beside the tests`);
    process.stdout.write(readFileSync(log, 'utf8'));
    console.log(`== ${script}: ${isPassed ? 'passed' : 'FAILED'} ${seconds(since)} s after them`);
    return isPassed;
  };
}

/**
 * These tests wait for real time and may fail on a busy machine, so a failed file is run once more, alone. They wait more than those
 * of `npm test`, so that one more of them fits beside the others.
 */
async function restRun() {
  const workers = `--maxWorkers=${availableParallelism() + 2}`;
  const first = await resultsOf((report) => [process.execPath, jest, ...REST, workers, ...report]);
  const again = failedIn(first.filter(hasFailed));
  if (again.length === 0) return count(first);
  console.log(`\nOnce more, one file at a time:\n${again.join('\n')}\n`);
  const alone = ['--runInBand', '--runTestsByPath', ...again];
  const second = await resultsOf((report) => [process.execPath, jest, ...REST, ...report, ...alone]);
  return count([...first.map((share) => without(again, share)), ...second]);
}

/**
 * A share runs several files, each in a `describe` with its path (test/groups/run-share.ts). One that could not run has no failed
 * test; then all failed shares are returned, because jest runs either shares or files.
 */
function failedIn(shares) {
  const areTests = shares.every(({ assertionResults }) => assertionResults.some(hasFailed));
  if (!areTests) return shares.map(({ name }) => name);
  return [...new Set(shares.flatMap((share) => share.assertionResults.filter(hasFailed).map(fileOf)))];
}

/** The results of a share without these files, which run again. */
function without(files, { name, assertionResults }) {
  const stays = (test) => !files.includes(name) && !files.includes(fileOf(test));
  return { name, status: 'left', assertionResults: assertionResults.filter(stays) };
}

function fileOf({ ancestorTitles }) {
  return join(root, ancestorTitles[0] ?? '');
}

async function testRun(command) {
  return count(await resultsOf(command));
}

/** The test files that a jest command has run; null if it could not run any. */
async function resultsOf(command) {
  const file = join(results, `${performance.now()}.json`);
  await run(command(['--json', `--outputFile=${file}`]));
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults;
  } catch {
    return [{ name: 'jest', status: 'failed', assertionResults: [] }];
  }
}

function hasFailed({ status }) {
  return status === 'failed';
}

/** Adds the tests of these files to the total. A file that could not be loaded counts as one failed test. */
function count(files) {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const failed =
    tests.filter(hasFailed).length +
    files.filter((file) => hasFailed(file) && file.assertionResults.length === 0).length;
  total.passed += tests.filter(({ status }) => status === 'passed').length;
  total.failed += failed;
  return failed === 0;
}

/**
 * @param output an open file; ours if absent. jest writes its JSON report to a file instead.
 * @returns whether it ended without a failure
 */
async function run([program, ...args], output = 'inherit') {
  const shell = process.platform === 'win32' && program === 'npm';
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', output, output], shell });
  const [code] = await once(child, 'close');
  return code === 0;
}

function seconds(since) {
  return Math.round((performance.now() - since) / 1000);
}
