// Writes a page of docs/project/performance/ with the figures of one run, its command, commit and machine.

import { toMarkdownTable, whereMeasured, writePage } from './write-page';

type Page = {
  title: string;
  command: string;
  /** The subject and method of the measurement. */
  about: string;
  /** Name, measured value, and goal if there is one. */
  figures: readonly (readonly [what: string, measured: string, goal: string])[];
};

/** Prints the figures as well. */
export function writeFigures(file: string, { title, command, about, figures }: Page): void {
  const table = toMarkdownTable([['', 'measured', 'goal'], ...figures.map((row) => [...row])]);
  console.log(`\n${table}`);
  writePage(file, `# ${title}\n\nWritten by \`${command}\` ${whereMeasured()}.\n${about}\n\n${table}\n`);
}
