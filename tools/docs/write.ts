// `npm run docs` writes the generated blocks of every page anew. With `-- --korean-is-current` it also writes into each Korean page
// that it says what its English page says now: for those who have just made it so.

import { writeFileSync } from 'node:fs';
import { koreanPages } from './korean-pages';
import { generatedPages } from './pages';

write(generatedPages());
if (process.argv.includes('--korean-is-current')) write(koreanPages());

function write(pages: { page: string; path: string; written: string; current: string }[]): void {
  const changed = pages.filter(({ written, current }) => written !== current);
  for (const { path, current } of changed) writeFileSync(path, current);
  console.log(
    changed.length === 0
      ? 'Every page is current.'
      : `Written: ${changed.map(({ page }) => page).join(', ')}`,
  );
}
