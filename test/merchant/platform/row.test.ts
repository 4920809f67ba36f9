// What is made from the description of a table.

import { z } from 'zod';
import { TO_NULL } from '../../../src/merchant/platform/personal-data';
import { column, count, describeRow, hidden, text, time } from '../../../src/merchant/platform/row';

const SOLD_AT = new Date('2026-11-21T09:00:00.000Z');

const ticketRow = describeRow({
  id: column('stays', text, '17', { detail: 'id' }),
  replacedId: column('stays', text.nullable(), null),
  soldAt: column('stays', time, '2026-11-21T09:00:00.000Z', 'time'),
  usedAt: column('stays', time.nullable(), null),
  amount: column('stays', count.nullable(), 4_000, 'amount'),
  currency: column('stays', text, 'KRW'),
  holder: column(TO_NULL, text.nullable(), 'Hana', 'text'),
  hash: hidden('stays'),
});
const ROW = {
  id: 9_007_199_254_740_993n,
  replacedId: 16n,
  soldAt: SOLD_AT,
  usedAt: null,
  amount: 4_000n,
  currency: 'KRW',
  holder: 'Hana',
  hash: 'secret',
};

test('an id is a text, another big integer a number, a time ISO 8601; a hidden column is in no answer', () => {
  const json = ticketRow.json(ROW);
  expect(json).toEqual({
    id: '9007199254740993',
    replaced_id: '16',
    sold_at: SOLD_AT.toISOString(),
    used_at: null,
    amount: 4_000,
    currency: 'KRW',
    holder: 'Hana',
  });
  expect(z.strictObject(ticketRow.shape).parse(json)).toEqual(json);
  expect(z.strictObject(ticketRow.shape).parse(ticketRow.example)).toEqual(ticketRow.example);
});

test('every column has an erasure rule, also a hidden one', () => {
  expect(Object.keys(ticketRow.erasure)).toEqual(Object.keys(ROW));
  expect(ticketRow.erasure).toMatchObject({ id: 'stays', holder: TO_NULL, hash: 'stays' });
});

test('an operator’s list has the columns that say how they are shown, those that come first before the others', () => {
  const item = ticketRow.json(ROW);
  const columns = ticketRow.columns(['sold_at', 'amount']);
  expect(columns.map(({ name, kind, isDetail = false }) => [name, kind, isDetail])).toEqual([
    ['sold_at', 'time', false],
    ['amount', 'amount', false],
    ['id', 'id', true],
    ['holder', 'text', false],
  ]);
  expect(columns.map(({ value }) => value(item))).toEqual([item.sold_at, 4_000, item.id, 'Hana']);
  expect(columns[1]?.currency?.(item)).toBe('KRW');
});
