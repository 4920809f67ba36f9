// A page of docs/performance/ with the figures of one run: with which command, at which commit, on which machine.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';

const FOLDER = join(__dirname, '..', 'docs', 'performance');

type Page = {
  title: string;
  command: string;
  /** What was measured, and how. */
  about: string;
  /** What was measured, its value, and the goal where there is one. */
  figures: readonly (readonly [what: string, measured: string, goal: string])[];
};

/** Prints the figures as well. */
export function writeFigures(file: string, { title, command, about, figures }: Page): void {
  const table = [['', 'measured', 'goal'], ['---', '---:', '---:'], ...figures]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}`;
  console.log(`\n${table}`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(
    join(FOLDER, file),
    `# ${title}\n\nWritten by \`${command}\` at ${commit} on ${machine}.\n${about}\n\n${table}\n`,
  );
}
