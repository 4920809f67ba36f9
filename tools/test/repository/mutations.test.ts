// The table of `npm run proof -- mutations` is current: each file exists, and so do the tests that must notice a change.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MUTATED } from '../../proof/mutations/files';

const root = join(__dirname, '..', '..', '..');

test.each(Object.entries(MUTATED))('%s and its tests exist', (file, tests) => {
  const paths = [`src/merchant/${file}`, ...tests.map((test) => `test/${test}.test.ts`)];
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(tests).not.toEqual([]);
});
