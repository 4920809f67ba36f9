// All error codes of the API stand in one table, and docs/api-errors.md says the same.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_ERRORS } from '../../src/merchant/error-codes';

test('docs/api-errors.md is the table', () => {
  const page = readFileSync(join(__dirname, '../../docs/api-errors.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const table = Object.entries(API_ERRORS).map(
    ([code, { status, message, remedy }]) => `| \`${code}\` | ${status} | ${message} | ${remedy} |`,
  );
  expect(rows.map((row) => row.replace(/ +/g, ' '))).toEqual(table);
});
