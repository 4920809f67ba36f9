// docs/data-flow.md has every table of the schema and every column that can hold something of a card.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURES } from '../../src/merchant/features';
import { classifiedColumns } from '../../src/merchant/platform/personal-data';

const root = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/data-flow.md');
const chapter = (title: string) => page.split(/^##+ /m).find((each) => each.startsWith(`${title}\n`)) ?? '';
const rowsOf = (title: string) =>
  [...chapter(title).matchAll(/^\| (.*) \|$/gm)]
    .map(([, row = '']) => row.split(' | ').map((cell) => cell.trim()))
    .filter(([first]) => !/^-+$/.test(first ?? ''))
    .slice(1);
const inBackQuotes = (text: string) => [...text.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);

const kept = rowsOf('What is kept');
const tables = [...read('prisma/schema.prisma').matchAll(/^model \w+ \{\n[^]*?@@map\("(\w+)"\)/gm)].map(
  ([, table]) => table,
);

test('every table of the schema has a row', () => {
  expect(tables.length).toBeGreaterThan(15);
  expect(kept.map(([table = '']) => inBackQuotes(table)[0]).sort()).toEqual([...tables].sort());
});

test('every column that can hold something of a card is named, and no other', () => {
  const ofCards = classifiedColumns(FEATURES)
    .filter(
      ({ table, column }) =>
        /^(card_(?!quota)|record$)/.test(column) || `${table}.${column}` === 'card_limits.key',
    )
    .map(({ table, column }) => `${table}.${column}`);
  expect(ofCards.length).toBeGreaterThan(7);
  const named = kept.flatMap(([table = '', , ofCard = '']) =>
    inBackQuotes(ofCard).map((column) => `${inBackQuotes(table)[0]}.${column}`),
  );
  expect(named.sort()).toEqual(ofCards.sort());
});

test('no column has the name of what is never kept', () => {
  const never = /expir(y|es_on)|birth|pwd|password|cvc|cvv|access_token|secret|refund_(account|bank|holder)/;
  expect(classifiedColumns(FEATURES).filter(({ column }) => never.test(column))).toEqual([]);
});
