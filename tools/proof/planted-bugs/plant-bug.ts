// Plants bugs in a copy of this repository, one at a time, and runs the test that must detect each.

import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlantedBug } from './planted-bug';

const JEST = join('node_modules', 'jest', 'bin', 'jest.js');
/** Those with tests of a safeguard. Only `processes` has those that wait for a time-out. */
const PROJECTS = ['unit', 'flows', 'processes'];
/** Longer than one file of tests takes on a busy machine. */
const TIMEOUT_MS = 180_000;

export type Result =
  /** A test that passes without the bug fails with it. */
  | { kind: 'caught'; failed: string[] }
  /** No test failed. */
  | { kind: 'survived' }
  /** No result, for the given reason. */
  | { kind: 'broken'; why: string };

/**
 * Plants the bugs one after the other. First all their tests run without a bug: a test that fails anyway, or does not exist,
 * proves nothing.
 * @param report is called with each result at once
 */
export async function plantBugs(
  copy: string,
  bugs: readonly PlantedBug[],
  report: (bug: PlantedBug, result: Result, seconds: number) => void = () => undefined,
): Promise<Result[]> {
  const sound = await runTests(copy, bugs, TIMEOUT_MS * bugs.length);
  const results: Result[] = [];
  for (const bug of bugs) {
    const startedMs = Date.now();
    const why = whyNotSound(sound.filter((each) => isOf(bug, each)));
    const result: Result = why === null ? await plantBug(copy, bug) : { kind: 'broken', why };
    results.push(result);
    report(bug, result, (Date.now() - startedMs) / 1000);
  }
  return results;
}

function whyNotSound(runs: readonly TestRun[]): string | null {
  const failed = runs.filter(({ status }) => status === 'failed');
  if (failed.length > 0)
    return `its test fails without the bug: ${failed.map(({ title }) => title).join(', ')}`;
  return runs.some(({ status }) => status === 'passed') ? null : 'its test does not run';
}

async function plantBug(copy: string, bug: PlantedBug): Promise<Result> {
  const path = join(copy, 'src', 'merchant', bug.file);
  const source = readFileSync(path, 'utf8');
  const parts = source.split(bug.find);
  if (parts.length !== 2)
    return { kind: 'broken', why: `its text stands ${parts.length - 1} times in the file` };
  writeFileSync(path, parts.join(bug.replace));
  try {
    const runs = await runTests(copy, [bug], TIMEOUT_MS);
    // A program that does not load fails every test, so this is no result.
    if (runs.length === 0) return { kind: 'broken', why: 'with the bug its test does not load' };
    const failed = runs.filter(({ status }) => status === 'failed').map(({ title }) => title);
    return failed.length > 0 ? { kind: 'caught', failed } : { kind: 'survived' };
  } finally {
    writeFileSync(path, source);
  }
}

type TestRun = { file: string; title: string; status: string };

/** Runs the tests of these bugs. Returns nothing if they could not be loaded, or at a time-out. */
async function runTests(copy: string, bugs: readonly PlantedBug[], timeoutMs: number): Promise<TestRun[]> {
  const output = join(copy, 'planted-bugs.json');
  rmSync(output, { force: true });
  const files = new Set(bugs.map(({ test }) => join('test', test)));
  const titles = new Set(bugs.map(({ title }) => toPattern(title).source));
  const options = ['--json', '--outputFile', output, '--silent', '--testNamePattern', [...titles].join('|')];
  await ended(
    [JEST, '--selectProjects', ...PROJECTS, ...options, '--runTestsByPath', ...files],
    copy,
    timeoutMs,
  );
  try {
    const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as JestOutput;
    return testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'passed' || status === 'failed')
        .map(({ fullName, status }) => ({ file: name, title: fullName, status })),
    );
  } catch {
    return [];
  }
}

/** The part of jest's report that is used. */
type JestOutput = {
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
};

function isOf({ test, title }: PlantedBug, run: TestRun): boolean {
  return run.file.endsWith(join('test', test)) && toPattern(title).test(run.title);
}

/** A title in the source has placeholders, such as `%s`. */
function toPattern(title: string): RegExp {
  return new RegExp(title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%[a-z#]/g, '.*'));
}

function ended(args: string[], cwd: string, timeout: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const jest = spawn(process.execPath, args, { cwd, stdio: 'ignore', timeout });
    jest.on('error', reject);
    jest.on('exit', () => resolve());
  });
}
