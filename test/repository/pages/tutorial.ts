// The chapters of docs/tutorial, and what a test reads of them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/shop-copy';

export const readPage = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** In their order. */
export function chapters(): string[] {
  return readdirSync(join(ROOT, 'docs', 'tutorial'))
    .filter((name) => /^\d\d-[a-z-]+\.md$/.test(name))
    .sort()
    .map((name) => `docs/tutorial/${name}`);
}
