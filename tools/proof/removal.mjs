// `npm run proof -- removal`: every option comes off alone, and all together, with scripts/remove-option.mjs in a copy of this
// repository. Types, format, imports and unused code pass each time, and lint of what the removal changed.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyAll, ROOT, runIn, withCopies } from './check-copies.mjs';

const options = readdirSync(join(ROOT, 'src', 'merchant', 'options'));
const CHECKS = ['format', 'imports', 'unused'];

const passed = await withCopies('removal', async ({ check }) => {
  const without = (names) => (path) => {
    copyAll(path);
    const problems = runIn(path, 'scripts/remove-option.mjs', ...names);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  };
  for (const option of options) await check(`without ${option}`, without([option]), CHECKS);
  await check('without all options', without(options), CHECKS);
});
process.exitCode = passed ? 0 : 1;
