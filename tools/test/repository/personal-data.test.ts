// Every column of prisma/schema is classified by the feature that owns its table. The shipped privacy texts have the four items of a
// consent, in both languages.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURES } from '../../../src/merchant/features';
import { classifiedColumns } from '../../../src/merchant/platform/personal-data';
import { testConfig } from '../../../test/support/config';

const ROOT = join(__dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

type Model = { name: string; table: string; lines: string[]; file: string };

/** Every model, with the name of its file. */
const MODELS = readdirSync(join(ROOT, 'prisma', 'schema')).flatMap((name): Model[] =>
  [...read(`prisma/schema/${name}`).matchAll(/^model (\w+) \{\n([^]*?)^\}/gm)].map(
    ([, model = '', body = '']) => ({
      name: model,
      table: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '',
      lines: body.split('\n'),
      file: name.replace('.prisma', ''),
    }),
  ),
);

/** `table.column` of every field of every model, except relations. */
function schemaColumns(): string[] {
  const names = new Set(MODELS.map(({ name }) => name));
  return MODELS.flatMap(({ table, lines }) =>
    lines
      .map((line) => /^ {2}(\w+) +(\w+)(\[\])?/.exec(line))
      .flatMap((match) => (match && !names.has(match[2] ?? '') ? [match] : []))
      .map(({ 1: field = '', input }) => `${table}.${/@map\("(\w+)"\)/.exec(input)?.[1] ?? field}`),
  );
}

const columns = classifiedColumns(FEATURES).map(({ table, column }) => `${table}.${column}`);
test('exactly the columns of the schema are classified', () => {
  expect(schemaColumns().length).toBeGreaterThan(120);
  expect(columns.sort()).toEqual(schemaColumns().sort());
});

test('the tables of a feature are in the schema file of its name', () => {
  const ofFeatures = FEATURES.flatMap(({ name, personalData = {} }) =>
    Object.keys(personalData).map((table) => `${name}: ${table}`),
  );
  expect(MODELS.map(({ file, table }) => `${file}: ${table}`).sort()).toEqual(ofFeatures.sort());
});

test('no option’s model refers to one of another file', () => {
  const options = readdirSync(join(ROOT, 'src', 'merchant', 'options'));
  const across = MODELS.flatMap(({ name, lines, file }) =>
    MODELS.filter((other) => other.file !== file && [other.file, file].some((each) => options.includes(each)))
      .filter((other) => lines.some((line) => new RegExp(`^ {2}\\w+ +${other.name}\\b`).test(line)))
      .map((other) => `${name} -> ${other.name}`),
  );
  expect(across).toEqual([]);
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
