// Every column of prisma/schema.prisma is classified by the feature that owns its table. The shipped privacy texts have the four
// items of a consent, in both languages.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURES } from '../../../src/merchant/features';
import { classifiedColumns } from '../../../src/merchant/platform/personal-data';
import { testConfig } from '../../../test/support/config';

const ROOT = join(__dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** `table.column` of every field of every model, except relations. */
function schemaColumns(): string[] {
  const models = [...read('prisma/schema.prisma').matchAll(/^model \w+ \{\n([^]*?)^\}/gm)].map(
    ([, body = '']) => body,
  );
  const names = new Set([...read('prisma/schema.prisma').matchAll(/^model (\w+)/gm)].map(([, name]) => name));
  return models.flatMap((body) => {
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '';
    return body
      .split('\n')
      .map((line) => /^ {2}(\w+) +(\w+)(\[\])?/.exec(line))
      .flatMap((match) => (match && !names.has(match[2]) ? [match] : []))
      .map(({ 1: field = '', input }) => `${table}.${/@map\("(\w+)"\)/.exec(input)?.[1] ?? field}`);
  });
}

const columns = classifiedColumns(FEATURES).map(({ table, column }) => `${table}.${column}`);
test('exactly the columns of the schema are classified', () => {
  expect(schemaColumns().length).toBeGreaterThan(120);
  expect(columns.sort()).toEqual(schemaColumns().sort());
});

test('no column has the name of data that is never stored', () => {
  const never = /expir(y|es_on)|birth|pwd|password|cvc|cvv|access_token|secret|refund_(account|bank|holder)/;
  const found = classifiedColumns(FEATURES).filter(({ column }) => never.test(column));
  // The sign-in of operators: the one hashed, the other encrypted.
  expect(found.map(({ table, column }) => `${table}.${column}`)).toEqual([
    'operators.password_hash',
    'operators.totp_secret',
  ]);
});

test.each([
  ['ko', ['목적', '항목', '보유 및 이용 기간', '거부할 권리와 불이익'], '일 뒤에', '빌링키'],
  ['en', ['Purpose', 'Items', 'Retention', 'right to refuse, and its effect'], ' days', 'billing key'],
])(
  'the shipped privacy text (%s) has the four items of a consent and matches the code',
  (language, items, days, key) => {
    const text = read(`views/merchant/cards/legal/privacy-${language}.eta`);
    const headings = [...text.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, heading = '']) => heading);
    items.forEach((item, index) => expect(headings[index]).toContain(item));
    expect(text).toContain(`${String(testConfig().values['KEEP_NOTIFICATIONS_DAYS'])}${days}`);
    expect(text).toContain(key);
    expect(headings).toHaveLength(
      [...read('views/merchant/cards/legal/privacy-ko.eta').matchAll(/<h2>/g)].length,
    );
  },
);
