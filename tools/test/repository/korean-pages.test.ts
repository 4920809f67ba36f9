// A Korean page says what its English page says: it has the hash of the text that it was written from.

import { hashOf, koreanPages } from '../../docs/korean-pages';

test('each Korean page was brought up to date with its English page', () => {
  const pages = koreanPages();
  expect(pages.map(({ english }) => english)).toEqual([
    'README.md',
    'docs/04-going-live.md',
    'docs/06-runbook.md',
    'docs/03-guides/10-operator.md',
  ]);
  const behind = pages.filter(({ written, current }) => written !== current);
  const problems = behind.map(
    ({ page, english }) =>
      `${english} has changed: bring ${page} up to date, then run npm run docs -- --korean-is-current`,
  );
  expect(problems).toEqual([]);
});

test('generated blocks do not count, other text does', () => {
  const page = (row: string, text: string) =>
    `# Page\n\n<!-- generated: gauges -->\n${row}\n<!-- end -->\n\n${text}\n`;
  expect(hashOf(page('|a|', 'text'))).toBe(hashOf(page('|b|', 'text')));
  expect(hashOf(page('|a|', 'text'))).not.toBe(hashOf(page('|a|', 'another text')));
});
