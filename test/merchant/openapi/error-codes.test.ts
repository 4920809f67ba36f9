// One table of error codes: the source uses no other, and the page for people says the same.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES } from '../../../src/merchant/openapi/error-codes';

const ROOT = join(__dirname, '../../..');
const SOURCE = join(ROOT, 'src/merchant');

/** Answered as pages, to people: their codes go to the log alone. */
const PAGES = /^(operator\/|cards\/(?!billing-key-api)|http\/(page-|read-form))/;
/** Made by body-parser, with dots for underscores. */
const OF_BODY_PARSER = [
  'entity_parse_failed',
  'entity_too_large',
  'encoding_unsupported',
  'charset_unsupported',
  'request_aborted',
  'request_size_invalid',
];

function codesInSource(): Map<string, number> {
  const codes = new Map<string, number>();
  for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.startsWith('openapi/') || PAGES.test(file)) continue;
    const text = readFileSync(join(SOURCE, file), 'utf8');
    const thrown = text.matchAll(/new RequestFault\(\s*(\d{3}),\s*'(\w+)'/g);
    const answered =
      file === 'http/error-answer.ts' ? text.matchAll(/status: (\d{3}),\s*code: '(\w+)'/g) : [];
    for (const [, status, code] of [...thrown, ...answered]) codes.set(code ?? '', Number(status));
  }
  return codes;
}

test('the source uses the codes of the table, each with its status, and no other', () => {
  const table = Object.entries(ERROR_CODES)
    .filter(([code]) => !OF_BODY_PARSER.includes(code))
    .map(([code, { status }]) => [code, status]);
  expect([...codesInSource()].sort()).toEqual(table.sort());
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
  const table = Object.entries(ERROR_CODES).map(([code, { status, happened, remedy }]) => [
    `\`${code}\``,
    String(status),
    happened,
    remedy,
  ]);
  expect(rows).toEqual(table);
});
