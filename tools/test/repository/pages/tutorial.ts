// The chapters of docs/02-tutorial, and what a test reads of them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../../test/support/shop-copy';

export const readPage = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** In their order. */
export function chapters(): string[] {
  return readdirSync(join(ROOT, 'docs', '02-tutorial'))
    .filter((name) => /^\d\d-[a-z-]+\.md$/.test(name))
    .sort()
    .map((name) => `docs/02-tutorial/${name}`);
}
