// Plants one bug in a copy of this repository and asks the test that has to notice it.

import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { PlantedBug } from './planted-bug';

/** Not copied: packages are linked to, and nothing else of these is read by a test. */
const LEFT_OUT = new Set(['node_modules', '.git', '.data', 'dist', 'coverage']);
const JEST = join('node_modules', 'jest', 'bin', 'jest.js');
/** Longer than any file of tests takes on a busy machine. */
const TIMEOUT_MS = 180_000;

export type Result =
  /** As it should be. `failed` are the titles of the tests that noticed. */
  | { kind: 'caught'; failed: string[] }
  /** No test noticed it. */
  | { kind: 'survived' }
  /** It proves nothing: the text is not there once, the test does not run, or it fails without the bug. */
  | { kind: 'broken'; why: string };

/** A copy in a temporary folder. The sources that it was made from are never written. */
export function copyRepository(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'planted-bugs-'));
  cpSync(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

export function removeCopy(copy: string): void {
  rmSync(copy, { recursive: true, force: true });
}

/** Plants the bug, asks its test, and takes the bug back. */
export async function plantBug(copy: string, bug: PlantedBug): Promise<Result> {
  const path = join(copy, 'src', 'merchant', bug.file);
  const source = readFileSync(path, 'utf8');
  const parts = source.split(bug.find);
  if (parts.length !== 2)
    return { kind: 'broken', why: `its text stands ${parts.length - 1} times in ${bug.file}` };
  writeFileSync(path, parts.join(bug.replace));
  try {
    const run = await runTest(copy, bug);
    if (!run.ran) return { kind: 'broken', why: 'its test does not run' };
    return run.failed.length > 0 ? { kind: 'caught', failed: run.failed } : { kind: 'survived' };
  } finally {
    writeFileSync(path, source);
  }
}

/** What is wrong without any bug: a test that fails anyway, or that is not there, proves nothing. Null if nothing is. */
export async function findProblem(copy: string, bug: PlantedBug): Promise<string | null> {
  const { ran, failed } = await runTest(copy, bug);
  if (!ran) return 'its test does not run';
  return failed.length > 0 ? `its test fails without the bug: ${failed.join(', ')}` : null;
}

type Run = {
  /** False where the file could not be loaded, no test has this title, or the time was over. */
  ran: boolean;
  /** Titles of the tests that failed. */
  failed: string[];
};

async function runTest(copy: string, { test, title }: PlantedBug): Promise<Run> {
  const output = join(copy, 'planted-bugs.json');
  rmSync(output, { force: true });
  const filter = ['--runTestsByPath', join('test', test), '--testNamePattern', toPattern(title)];
  await finished([JEST, ...filter, '--json', '--outputFile', output, '--silent'], copy);
  try {
    return readRun(JSON.parse(readFileSync(output, 'utf8')) as JestResult);
  } catch {
    return { ran: false, failed: [] };
  }
}

type JestResult = {
  testResults: { assertionResults: { fullName: string; status: string }[] }[];
};

function readRun({ testResults }: JestResult): Run {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  return { ran: failed.length > 0 || results.some(({ status }) => status === 'passed'), failed };
}

/** A title as it is written in the source may have places for values, such as `%s`. */
function toPattern(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%[a-z#]/g, '.*');
}

function finished(args: string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const jest = spawn(process.execPath, args, { cwd, stdio: 'ignore', timeout: TIMEOUT_MS });
    jest.on('error', reject);
    jest.on('exit', () => resolve());
  });
}
