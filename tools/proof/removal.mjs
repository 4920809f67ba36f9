// `npm run proof -- removal`: every option comes off alone, and all together, with scripts/remove-option.mjs in a copy of this
// repository. `npm run check` passes each time.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyAll, ROOT, runIn, withCopies } from './check-copies.mjs';

const options = readdirSync(join(ROOT, 'src', 'merchant', 'options'));
const CHECKS = ['lint', 'format', 'imports', 'unused'];

const passed = await withCopies('removal', ({ check }) => {
  const without = (names) => (path) => {
    copyAll(path);
    const problems = runIn(path, 'scripts/remove-option.mjs', ...names);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  };
  for (const option of options) check(`without ${option}`, without([option]), CHECKS);
  check('without all options', without(options), CHECKS);
});
process.exitCode = passed ? 0 : 1;
