// All error codes stand in one table. The source uses each of them, and docs/api-errors.md says the same.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_ERRORS, ERRORS } from '../../src/merchant/error-codes';

const ROOT = join(__dirname, '../..');
const SOURCE = join(ROOT, 'src/merchant');

/** Made from the types of body-parser's errors, with dots for underscores. */
const OF_BODY_PARSER = [
  'entity_parse_failed',
  'entity_too_large',
  'encoding_unsupported',
  'charset_unsupported',
  'request_aborted',
  'request_size_invalid',
  'parameters_too_many',
];

/** Every code that stands in a text literal of the source, outside the tables themselves. */
function codesInSource(): Set<string> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('error-codes.ts'),
  );
  const texts = files.map((file) => readFileSync(join(SOURCE, file), 'utf8')).join('\n');
  const literals = new Set([...texts.matchAll(/'([a-z_]+)'/g)].map(([, literal]) => literal ?? ''));
  return new Set(Object.keys(ERRORS).filter((code) => literals.has(code)));
}

test('every code of the table is used by the source', () => {
  const used = codesInSource();
  expect(Object.keys(ERRORS).filter((code) => !used.has(code) && !OF_BODY_PARSER.includes(code))).toEqual([]);
});

test('docs/api-errors.md is the table', () => {
  const page = readFileSync(join(ROOT, 'docs/api-errors.md'), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  const table = Object.entries(API_ERRORS).map(([code, { status, message, remedy }]) => [
    `\`${code}\``,
    String(status),
    message,
    remedy,
  ]);
  expect(rows).toEqual(table);
});
