// `npm run docs` regenerates the generated blocks of every page.

import { writeFileSync } from 'node:fs';
import { generatedPages } from './pages';

const changed = generatedPages().filter(({ written, current }) => written !== current);
for (const { path, current } of changed) writeFileSync(path, current);
console.log(
  changed.length === 0 ? 'Every page is current.' : `Written: ${changed.map(({ page }) => page).join(', ')}`,
);
