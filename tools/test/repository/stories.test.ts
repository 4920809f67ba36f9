// The stories of src/README.md are correct: every file and function of a table exists, and can be called from a file of the same
// story, by an import, by a method of the payment service, or by a job.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const SRC = join(__dirname, '../../../src');
const readme = readFileSync(join(SRC, 'README.md'), 'utf8');

type Step = { file: string; functions: string[]; text: string };

const stories = readme
  .split(/^## /m)
  .slice(1)
  .map((chapter) => ({ title: chapter.split('\n', 1)[0] ?? '', steps: stepsOf(chapter) }))
  .filter(({ steps }) => steps.length > 0);

function stepsOf(chapter: string): Step[] {
  return [...chapter.matchAll(/^\| \[`([^`]+\.ts)`\]\([^)]+\) +\| (.+)\|$/gm)].map(
    ([, file = '', what = '']) => ({
      file,
      functions: [...what.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
      text: readFileSync(join(SRC, file), 'utf8'),
    }),
  );
}

function importsOf({ file, text }: Step): string[] {
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, to = '']) =>
    relative(SRC, resolve(SRC, dirname(file), `${to}.ts`)),
  );
}

function importsIn(file: string): string[] {
  const path = join(SRC, file);
  return existsSync(path) ? importsOf({ file, functions: [], text: readFileSync(path, 'utf8') }) : [];
}

/** Whether a call can pass from one file to the other. */
function leadsTo(from: Step, to: Step): boolean {
  if (importsOf(from).includes(to.file)) return true;
  if (to.functions.some((name) => new RegExp(`service\\??\\.${name}\\(`).test(from.text))) return true;
  // A job: the feature takes its name from the file that enqueues it.
  if (/\b(enqueue|runSoon)\(/.test(from.text) && to.file.endsWith('/feature.ts'))
    return importsOf(to).some((file) => file === from.file || importsIn(file).includes(from.file));
  return from.text.includes('context.features') && to.file === 'merchant/features.ts';
}

test.each(stories)('$title: every function is in its file', ({ steps }) => {
  for (const { file, functions, text } of steps)
    for (const name of functions)
      expect([
        file,
        name,
        new RegExp(`\\b(function|const) ${name}\\b|^ +(async )?${name}\\(`, 'm').test(text),
      ]).toEqual([file, name, true]);
});

test.each(stories)('$title: every file is reached from an earlier one', ({ steps }) => {
  steps.slice(1).forEach((step, index) => {
    const before = steps.slice(0, index + 1);
    expect([step.file, before.some((from) => leadsTo(from, step))]).toEqual([step.file, true]);
  });
});
