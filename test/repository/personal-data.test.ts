// Every column of prisma/schema.prisma is classified in src/merchant/platform/personal-data.ts, and docs/personal-data.md lists
// them as they are classified there. The shipped privacy texts have the four items of a consent, in both languages.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEPT_CANCEL_FIELDS, KEPT_FIELDS } from '../../src/merchant/core/payments/stored-record';
import { FEATURES } from '../../src/merchant/features';
import { classifiedColumns } from '../../src/merchant/platform/personal-data';
import { testConfig } from '../support/config';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/personal-data.md');
const chapter = (title: string) => page.split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? '';

/** `table.column` of every field of every model that is no relation. */
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

const columns = classifiedColumns(FEATURES).map(({ table, column, rule }) => ({
  name: `${table}.${column}`,
  kind: typeof rule === 'object' ? 'erased' : rule,
}));
const ofKind = (...kinds: string[]) =>
  columns.flatMap(({ name, kind }) => (kinds.includes(kind) ? [name] : [])).sort();

test('every column of the schema is classified, and nothing else is', () => {
  expect(schemaColumns().length).toBeGreaterThan(120);
  expect(columns.map(({ name }) => name).sort()).toEqual(schemaColumns().sort());
});

/** The first cell of each row of the tables of a chapter. */
const namedIn = (title: string) =>
  [...chapter(title).matchAll(/^\| (`[^|]+`) +\|/gm)]
    .flatMap(([, cell = '']) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name))
    .sort();

test('the page has a row for every personal column, and for no other', () => {
  expect(namedIn('What is personal')).toEqual(ofKind('erased', 'fields'));
});

test('the page names every column that people type into', () => {
  expect(namedIn('What people type')).toEqual(ofKind('typed'));
});

test('the page lists every column that is not personal', () => {
  const listed = [...chapter('What is not personal').matchAll(/^\| `(\w+)` +\| (.+) \|$/gm)].flatMap(
    ([, table = '', cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, column = '']) => `${table}.${column}`),
  );
  expect(listed.sort()).toEqual(ofKind('stays'));
});

test('the page lists the fields of a record that stay', () => {
  const [, fields = ''] = /^Of a record stay: (.*?)\.\n/ms.exec(chapter('The record of a payment')) ?? [];
  const [, entry = ''] = /^Of each cancellation: (.*?)\.\n/ms.exec(chapter('The record of a payment')) ?? [];
  const names = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort();
  expect(names(fields)).toEqual([...KEPT_FIELDS].sort());
  expect(names(entry)).toEqual([...KEPT_CANCEL_FIELDS].sort());
});

test.each([
  ['ko', ['목적', '항목', '보유 및 이용 기간', '거부할 권리와 불이익'], '일 뒤에', '빌링키'],
  ['en', ['Purpose', 'Items', 'Retention', 'right to refuse, and its effect'], ' days', 'billing key'],
])(
  'the shipped privacy text (%s) has the four items of a consent, and says what the code does',
  (language, items, days, key) => {
    const text = read(`views/merchant/cards/legal/privacy-${language}.eta`);
    const headings = [...text.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, heading = '']) => heading);
    items.forEach((item, index) => expect(headings[index]).toContain(item));
    expect(text).toContain(`${testConfig().keepNotificationsDays}${days}`);
    expect(text).toContain(key);
    expect(headings).toHaveLength(
      [...read('views/merchant/cards/legal/privacy-ko.eta').matchAll(/<h2>/g)].length,
    );
  },
);
