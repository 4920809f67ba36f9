// The Korean pages are written, not generated. The first line of each names its English page and the hash of the text that it
// says in Korean: <!-- english: docs/06-runbook.md 0123456789abcdef -->. Generated blocks are left out of the hash.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BLOCK } from './pages';

const ROOT = join(__dirname, '..', '..');
const FIRST_LINE = /^<!-- english: (\S+) (\S+) -->\n/;

/** `current` is the page with the hash that its English page has now. */
export type KoreanPage = { page: string; path: string; english: string; written: string; current: string };

export function koreanPages(): KoreanPage[] {
  const docs = readdirSync(join(ROOT, 'docs', 'ko'), { recursive: true, encoding: 'utf8' });
  const pages = docs.filter((file) => file.endsWith('.md')).map((file) => `docs/ko/${file}`);
  return ['README.ko.md', ...pages.sort()].map((page) => {
    const path = join(ROOT, page);
    const written = readFileSync(path, 'utf8');
    const english = FIRST_LINE.exec(written)?.[1] ?? '';
    if (!english.endsWith('.md') || !existsSync(join(ROOT, english)))
      throw new Error(`${page}: the first line has to be <!-- english: path/of/the/page.md hash -->`);
    const hash = hashOf(readFileSync(join(ROOT, english), 'utf8'));
    const current = written.replace(FIRST_LINE, () => `<!-- english: ${english} ${hash} -->\n`);
    return { page, path, english, written, current };
  });
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text.replace(BLOCK, '')).digest('hex').slice(0, 16);
}
