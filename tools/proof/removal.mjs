// `npm run proof -- removal`: every option comes off alone, and all together, with scripts/remove-option.mjs in a copy of this
// repository. `npm run check` passes each time. With `tests` (three quarters of an hour), all of `npm test` passes as well.
// Arguments: [tests] [options that come off, each alone; all of them if absent]

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyAll, ROOT, runIn, withCopies } from './check-copies.mjs';

const options = readdirSync(join(ROOT, 'src', 'merchant', 'options'));
const CHECKS = ['lint', 'format', 'imports', 'unused'];
const hasTests = process.argv.includes('tests');
const named = options.filter((option) => process.argv.includes(option));

const passed = await withCopies('removal', ({ check, test }) => {
  const remove = (title, names) => {
    const write = (path) => {
      copyAll(path);
      const problems = runIn(path, 'scripts/remove-option.mjs', ...names);
      if (problems.length > 0) throw new Error(problems.join('\n'));
    };
    check(title, write, CHECKS);
    if (hasTests) test(title);
  };
  for (const option of named.length > 0 ? named : options) remove(`without ${option}`, [option]);
  if (named.length === 0) remove('without all options', options);
});
process.exitCode = passed ? 0 : 1;
