// docs/data-flow.md has every table of the schema, every column that can hold something of a card, and every file through
// which a typed card passes; its diagram and its table have the same flows.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classifiedColumns } from '../../src/merchant/personal-data';

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

test('every table of the schema has a row that says what it holds and how long', () => {
  expect(tables.length).toBeGreaterThan(15);
  expect(kept.map(([table = '']) => inBackQuotes(table)[0]).sort()).toEqual([...tables].sort());
  for (const cells of kept) expect([cells, cells.length, cells.includes('')]).toEqual([cells, 4, false]);
});

test('every column that can hold something of a card is named, and no other', () => {
  const ofCards = classifiedColumns()
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
  expect(classifiedColumns().filter(({ column }) => never.test(column))).toEqual([]);
});

test('every file that handles a typed card is named, in the way of the card through the code', () => {
  const files = readdirSync(join(root, 'src', 'merchant'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('locales'))
    .filter((path) =>
      /\b(OnetimeCardInput|CardInput|CardAttempt|parseCardInput|parseCardForm)\b|pwd_?2_?digit/i.test(
        read(join('src', 'merchant', path)),
      ),
    );
  expect(files.length).toBeGreaterThan(8);
  const named = [
    ...chapter('The way of a card through the code').matchAll(/src\/merchant\/([\w/-]+\.ts)\)/g),
  ];
  const names = named.map(([, path]) => path);
  expect(files.filter((path) => !names.includes(path))).toEqual([]);
});

test('the diagram and the table have the same flows, and each flow names its checks', () => {
  const flows = rowsOf('Trust boundaries');
  const numbers = flows.map(([number]) => Number(number));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  const [, diagram = ''] = /```mermaid\n([^]*?)```/.exec(page) ?? [];
  const drawn = [...diagram.matchAll(/-- "([^"]+)" -->/g)].flatMap(([, label = '']) =>
    [...label.matchAll(/\d+/g)].map(([number]) => Number(number)),
  );
  expect(drawn.sort((one, other) => one - other)).toEqual(numbers);
  for (const [number, , , , checks = '', files = ''] of flows)
    expect([number, checks !== '', files.includes('](../src/merchant/')]).toEqual([number, true, true]);
});
