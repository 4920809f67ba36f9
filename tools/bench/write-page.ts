// Writes a page of docs/project/performance, formatted as `npm run check -- format` wants it.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';

export const PERFORMANCE_FOLDER = join(__dirname, '..', '..', 'docs', 'project', 'performance');

/** @param name such as `intake.md` */
export function writePage(name: string, text: string): void {
  mkdirSync(PERFORMANCE_FOLDER, { recursive: true });
  writeFileSync(join(PERFORMANCE_FOLDER, name), text);
  const check = join(__dirname, '..', '..', 'scripts', 'check.mjs');
  execFileSync(process.execPath, [check, 'format', '--fix'], { stdio: 'inherit' });
}

/** The commit and the machine of a measurement. */
export function whereMeasured(): string {
  const git = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
  // A ZIP has no history.
  const commit = git.status === 0 ? git.stdout.trim() : 'an unknown commit';
  const cores = `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'})`;
  return `at ${commit} on ${cores}, Node ${process.versions.node}`;
}

/** The first row is the header; all columns but the first are figures. */
export function toMarkdownTable(rows: string[][]): string {
  const [header = [], ...body] = rows;
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(header),
    line(header.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...body.map(line),
  ].join('\n');
}
