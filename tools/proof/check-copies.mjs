// Copies of this repository in which something is removed, one after another in the same folder, and `npm run check` there.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const HOUSES = ['.', 'scripts', 'tools'];
const NOT_COPIED = [
  '.git',
  '.data',
  'dist',
  'coverage',
  ...HOUSES.map((house) => join(house, 'node_modules')),
];

/**
 * @param act gets a folder for copies, `check`, `test` and `report`
 * @returns whether all checks passed
 */
export async function withCopies(name, act) {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const began = performance.now();
  let failed = 0;
  const report = (title, since, problems) => {
    if (problems !== '') failed += 1;
    console.log(`${title}: ${problems === '' ? 'passed' : 'FAILED'} (${secondsSince(since)} s)`);
    if (problems !== '') console.log(problems);
  };
  /** @param write fills the copy; @param checks of scripts/check.mjs */
  const check = (title, write, checks) => {
    const path = join(folder, 'copy');
    rmSync(path, { recursive: true, force: true });
    const since = performance.now();
    write(path);
    report(`${title}: ${checks.join(', ')}`, since, runIn(path, 'scripts/check.mjs', ...checks).join('\n'));
  };
  /** All tests of the last copy. */
  const test = (title) => {
    const since = performance.now();
    const { passed, problems } = runTests(join(folder, 'copy'));
    report(`${title}: ${passed} tests`, since, problems);
  };
  try {
    await act({ folder, check, test, report });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(failed === 0 ? `All passed (${secondsSince(began)} s)` : `${failed} failed`);
  return failed === 0;
}

/** The working tree with its packages. */
export function copyAll(path) {
  cpSync(ROOT, path, {
    recursive: true,
    filter: (source) => !NOT_COPIED.includes(relative(ROOT, source)),
  });
  linkPackages(path);
}

/** What `npm run adopt` writes with these arguments. */
export function adopt(path, ...args) {
  const problems = runIn(ROOT, 'scripts/adopt.mjs', path, ...args);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  linkPackages(path, HOUSES.slice(0, 2));
}

function linkPackages(path, houses = HOUSES) {
  for (const house of houses)
    symlinkSync(join(ROOT, house, 'node_modules'), join(path, house, 'node_modules'), 'junction');
}

/**
 * The tests of a copy, as `npm test` runs them.
 * @returns how many passed, and the output of jest if one failed
 */
export function runTests(path, ...args) {
  const results = `${path}.json`;
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const { status, stderr } = spawnSync(
    process.execPath,
    [jest, '--json', `--outputFile=${results}`, ...args],
    { cwd: path, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], maxBuffer: Infinity },
  );
  if (status !== 0) return { passed: 0, problems: stderr };
  return { passed: JSON.parse(readFileSync(results, 'utf8')).numPassedTests, problems: '' };
}

/** @returns its output, if it failed */
export function runIn(path, script, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(path, script), ...args], {
    cwd: path,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return status === 0 ? [] : [`${script} ${args.join(' ')}\n${stdout}${stderr}`];
}

function secondsSince(since) {
  return Math.round((performance.now() - since) / 1000);
}
