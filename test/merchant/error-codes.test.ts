// All error codes of the API stand in one table, and docs/api-errors.md says the same.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_ERRORS } from '../../src/merchant/error-codes';

test('docs/api-errors.md is the table', () => {
  const page = readFileSync(join(__dirname, '../../docs/api-errors.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const cells = rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  const table = Object.entries(API_ERRORS).map(([code, error]) => [
    `\`${code}\``,
    String(error.status),
    error.message,
    error.remedy,
  ]);
  expect(cells).toEqual(table);
});
