// The tutorial is current: its parts exist, and each safeguard that it describes has a planted bug
// with the named test. tools/test/repository/tutorial-run.test.ts sends its requests.

import { dirname, join, relative } from 'node:path';
import { PLANTED_BUGS } from '../../proof/planted-bugs/planted-bugs';
import { codeBlocksOf } from './pages/code-blocks';
import { linksOf } from './pages/markdown-links';
import { chapters, readPage } from './pages/tutorial';

const OVERVIEW = 'docs/02-tutorial/README.md';
test.each(chapters())('%s names planted bugs with their tests, like the overview', (page) => {
  const named = [...readPage(page).matchAll(/^npm run proof -- planted-bugs (.+)$/gm)].flatMap(
    ([, names = '']) => names.split(' '),
  );
  expect(named).not.toEqual([]);
  const links = linksOf(page).map((link) => join(dirname(page), link));
  for (const name of named) {
    const bug = PLANTED_BUGS.find((each) => each.name === name);
    expect([name, links]).toEqual([name, expect.arrayContaining([join('test', bug?.test ?? 'none')])]);
    expect(rowOf(page)).toContain(`\`${name}\``);
  }
});

test.each(chapters())('%s quotes files that it names and links', (page) => {
  const excerpts = codeBlocksOf(page, readPage(page)).filter(({ language }) => language === 'ts');
  expect(excerpts.length).toBeGreaterThan(1);
  const links = linksOf(page).map((link) => join(dirname(page), link));
  for (const { comment } of excerpts) {
    expect(comment?.name).toBe('from');
    const file = comment?.text ?? '';
    expect(file).toMatch(/^src\//);
    expect([file, links]).toEqual([file, expect.arrayContaining([file])]);
  }
});

/** The row of a chapter in the overview. */
function rowOf(page: string): string {
  const name = relative('docs/02-tutorial', page);
  return readPage(OVERVIEW)
    .split('\n')
    .filter((line) => line.startsWith('|') && line.includes(`(${name})`))
    .join('\n');
}
