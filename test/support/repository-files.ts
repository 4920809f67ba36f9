// The files of this repository, for tests that search all of them. A ZIP of it has no `.git`: then each file counts that
// `.gitignore` does not name.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Paths relative to `root`, with slashes: tracked files, and new ones that are not ignored. */
export function repositoryFiles(root: string): string[] {
  return existsSync(join(root, '.git')) ? filesOfGit(root) : filesNotIgnored(root);
}

export function filesOfGit(root: string): string[] {
  return execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root })
    .toString()
    .split('\0')
    .filter((path) => path !== '' && statSync(join(root, path), { throwIfNoEntry: false })?.isFile());
}

export function filesNotIgnored(root: string): string[] {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8').trim().split('\n');
  // Git does not name its own folder, which is a file in a second work tree.
  const patterns = ['.git', '.git/', ...ignored].map(toPattern);
  const isIgnored = (path: string) => patterns.some((pattern) => pattern.test(path));
  const filesIn = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder + entry.name;
      if (entry.isDirectory()) return isIgnored(`${path}/`) ? [] : filesIn(`${path}/`);
      return entry.isFile() && !isIgnored(path) ? [path] : [];
    });
  return filesIn('');
}

/** For the few forms that ours has: a name anywhere, a path from the root, `*`, and a slash at the end for a folder. */
function toPattern(line: string): RegExp {
  const isPath = line.slice(0, -1).includes('/');
  const name = line.replaceAll('.', '\\.').replaceAll('*', '[^/]*');
  return new RegExp(`${isPath ? '^' : '(^|/)'}${name}$`);
}
