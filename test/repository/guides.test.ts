// The guides of docs/guides: a block of code that names a file is that file, so that what a reader copies is what is
// type-checked and run.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const folder = join(root, 'docs', 'guides');

const blocks = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .flatMap((guide) => {
    const text = readFileSync(join(folder, guide), 'utf8');
    return [...text.matchAll(/^<!-- file: (\S+) -->\n+```\w+\n([\s\S]*?)^```$/gm)].map(
      ([, file = '', code = '']): [string, string, string] => [guide, file, code],
    );
  });

test('there are such blocks', () => {
  expect(blocks).not.toEqual([]);
});

test.each(blocks)('%s shows %s as it is', (_guide, file, code) => {
  expect(code).toBe(readFileSync(join(root, file), 'utf8'));
});
