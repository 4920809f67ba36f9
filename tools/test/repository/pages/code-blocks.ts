// The blocks of code of all Markdown pages of the repository, for the tests that run or check each of them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFiles } from '../../../../test/support/repository-files';
import { ROOT } from '../../../../test/support/shop-copy';

export type CodeBlock = {
  page: string;
  /** Number of its first line of code. */
  line: number;
  /** The word after the fence; empty if there is none. */
  language: string;
  code: string;
  /** The comment in front of it, such as `<!-- file: src/x.ts -->`; null if there is none. */
  comment: { name: string; text: string } | null;
};

/** Of every Markdown page. */
export const allCodeBlocks = (): CodeBlock[] =>
  repositoryFiles(ROOT)
    .filter((path) => path.endsWith('.md'))
    .flatMap((page) => codeBlocksOf(page, readFileSync(join(ROOT, page), 'utf8')));

/** Fences may be indented, as in lists; the code is then without that indent. */
export function codeBlocksOf(page: string, text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const pattern =
    /(?:^[ \t]*<!-- (\w+): ((?:(?!-->)[^])*?) -->\n\n?)?^([ \t]*)(`{3,}|~{3,})[ \t]*([^\n`]*)\n([^]*?)^[ \t]*\4[`~]*[ \t]*$/gm;
  for (const match of text.matchAll(pattern)) {
    const { 1: name, 2: said = '', 3: indent = '', 5: language = '', 6: code = '', index } = match;
    const before = text.slice(0, index + match[0].lastIndexOf(code));
    blocks.push({
      page,
      line: before.split('\n').length,
      language: language.trim(),
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      comment: name === undefined ? null : { name, text: said },
    });
  }
  return blocks;
}

export const placeOf = ({ page, line }: CodeBlock): string => `${page}:${line}`;
