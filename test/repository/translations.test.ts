// README.ko.md says in Korean what README.md says: the same headings, blocks of code, links, pictures and commands, in the same
// order.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocksOf } from './pages/code-blocks';

const english = partsOf('README.md');
const korean = partsOf('README.ko.md');

test.each(['headings', 'code', 'links', 'inline'] as const)('both have the same %s', (part) => {
  expect(english[part].length).toBeGreaterThan(2);
  expect(korean[part]).toEqual(english[part]);
});

test('each leads to the other before anything else', () => {
  expect([english.first, korean.first]).toEqual(['README.ko.md', 'README.md']);
});

function partsOf(page: string) {
  const text = readFileSync(join(__dirname, '..', '..', page), 'utf8');
  const prose = text.replace(/^```[^]*?^```/gm, '');
  const [first, ...links] = [...prose.matchAll(/\]\(([^)\s]+)\)|<(https?:[^>]+)>|src="([^"]+)"/g)].map(
    ([, link, address, picture]) => link ?? address ?? picture,
  );
  return {
    first,
    headings: prose.match(/^#+ /gm) ?? [],
    code: codeBlocksOf('', text).map(({ code }) => code),
    // A sentence of another language has them in another order.
    links: links.sort(),
    inline: [...prose.matchAll(/`([^`]+)`/g)].map(([, code]) => code).sort(),
  };
}
