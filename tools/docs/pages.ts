// A page marks a block with the name of its table: <!-- generated: error-codes --> … <!-- end -->. The text between the two marks
// is generated from the code. Prettier ignores it, so a changed row is one changed line.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BLOCKS } from './blocks';

const ROOT = join(__dirname, '..', '..');
export const BLOCK = /<!-- generated: ([\w-]+) -->\n[^]*?<!-- end -->/g;

/** A page as committed (`written`) and as generated (`current`). */
export type GeneratedPage = { page: string; path: string; written: string; current: string };

export function generatedPages(): GeneratedPage[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = [
    ...docs.map((page) => `docs/${page}`),
    'README.md',
    'src/README.md',
    'src/sandbox/README.md',
  ];
  return pages
    .filter((page) => page.endsWith('.md'))
    .map((page) => ({ page, path: join(ROOT, page) }))
    .map((each) => ({ ...each, written: readFileSync(each.path, 'utf8') }))
    .filter(({ written }) => written.includes('<!-- generated: '))
    .map((each) => ({ ...each, current: withBlocks(each.written) }));
}

/** The names of blocks that no page uses. */
export function unusedBlocks(pages: readonly GeneratedPage[]): string[] {
  const shown = pages.flatMap(({ written }) => [...written.matchAll(BLOCK)].map(([, name]) => name));
  return Object.keys(BLOCKS).filter((name) => !shown.includes(name));
}

function withBlocks(text: string): string {
  return text.replace(BLOCK, (_block, name: string) => {
    const make = BLOCKS[name];
    if (!make) throw new Error(`tools/docs/blocks.ts makes no block "${name}"`);
    return [
      `<!-- generated: ${name} -->`,
      '<!-- prettier-ignore-start -->',
      '',
      make(),
      '',
      '<!-- prettier-ignore-end -->',
      '<!-- end -->',
    ].join('\n');
  });
}
