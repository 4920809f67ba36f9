// docs/questions.md answers shortly, and each answer leads to a heading that says more. That the headings are there is asserted by
// references.test.ts, as of every link.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'questions.md'), 'utf8');
const answers = page
  .split(/^### /m)
  .slice(1)
  .map((part): [string, string] => {
    const [question = '', ...lines] = part.replace(/^## [^]*/m, '').split('\n');
    return [question, lines.join('\n').trim()];
  });

test('two dozen questions are answered, each once', () => {
  expect(answers.length).toBeGreaterThanOrEqual(24);
  expect(new Set(answers.map(([question]) => question)).size).toBe(answers.length);
});

test.each(answers)('%s', (question, answer) => {
  expect(question).toMatch(/\?$/);
  const links = [...answer.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
  expect(links).not.toEqual([]);
  expect(links.filter((link) => !/^[\w/.-]+\.md#[\w-]+$/.test(link ?? ''))).toEqual([]);
  // Sentences end with a full stop before a blank or the end.
  expect(answer.match(/\.(?=\s|$)/g)?.length).toBeLessThanOrEqual(3);
});
