// Each test file loads the whole program, which costs more than most of its tests. So jest runs the files of a project in
// a few shares: a share loads the program once and runs its files one after another, each in a `describe` of its own.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const ROOT = join(__dirname, '..', '..');
/**
 * The projects of jest, each with its folders. Those of test/waiting mostly wait and come first in their shares, so that the last share
 * does not end with them while one processor is idle.
 */
const FOLDERS = JSON.parse(readFileSync(join(__dirname, 'folders.json'), 'utf8')) as Record<string, string[]>;

// Node's own limit. Jest sets a hundred frames, which cost a twelfth of the CPU of these tests.
Error.stackTraceLimit = 10;

/**
 * Runs one share of a project's test files. Files of one folder take about equally long, so they are dealt in the order of their
 * paths.
 * @param filename that of the share, such as `flows-2-of-3.test.ts`
 */
export function runShare(filename: string): void {
  const [, project, share, shares] = /^(\w+)-(\d+)-of-(\d+)\.test\.ts$/.exec(basename(filename)) ?? [];
  for (const [place, file] of testFiles(FOLDERS[project ?? ''] ?? []).entries())
    if (dealtTo(place, Number(shares)) === Number(share) - 1)
      describe(relative(ROOT, file), () => {
        jest.requireActual(file);
      });
}

/** Deals forwards and backwards in turn, so that no share gets the first of every few files. */
function dealtTo(place: number, shares: number): number {
  const withinRound = place % shares;
  return Math.floor(place / shares) % 2 === 0 ? withinRound : shares - 1 - withinRound;
}

/** Folder by folder, in order of their paths. */
function testFiles(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      // An example may have packages of its own, and these may bring tests.
      .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
      .map((name) => join(ROOT, folder, name))
      .sort(),
  );
}
