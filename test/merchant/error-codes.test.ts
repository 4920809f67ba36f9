// All error codes stand in one table. The source uses each of them, and docs/api-errors.md says the same.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_ERRORS, ERRORS } from '../../src/merchant/error-codes';

const ROOT = join(__dirname, '../..');
const SOURCE = join(ROOT, 'src/merchant');

test('every code of the table stands in a text literal of the source, outside the tables themselves', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('error-codes.ts'),
  );
  const texts = files.map((file) => readFileSync(join(SOURCE, file), 'utf8')).join('\n');
  const unused = Object.keys(ERRORS).filter((code) => !texts.includes(`'${code}'`));
  // Made from the type of an error of body-parser, with dots for underscores.
  expect(unused).toEqual(['parameters_too_many']);
});

test('docs/api-errors.md is the table', () => {
  const page = readFileSync(join(ROOT, 'docs/api-errors.md'), 'utf8');
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
