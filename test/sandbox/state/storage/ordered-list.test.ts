// The list behind §4.5 gives the same pages and counts as plain filtering, sorting and slicing.

import fc from 'fast-check';
import { createOrderedList } from '../../../../src/sandbox/state/storage/ordered-list';

type Listed = { sort: number; search: number; isSandbox: boolean };

test('pages and counts as filtering, sorting and slicing would, after any adding and removing', () => {
  const time = fc.integer({ min: 0, max: 30 });
  const isSandbox = fc.integer({ max: 9, min: 0 }).map((number) => number === 0);
  const record = fc.record({ sort: time, search: time, isSandbox });
  fc.assert(
    fc.property(
      fc.array(record, { maxLength: 1500 }),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      fc.tuple(time, time),
      fc.nat(100),
      fc.integer({ min: 1, max: 50 }),
      fc.record({ newestFirst: fc.boolean(), includeSandbox: fc.boolean() }),
      (records: Listed[], keepEvery, filled, [one, other], skip, limit, asked) => {
        const list = createOrderedList(
          (each) => records[each]?.sort ?? 0,
          (each) => records[each]?.search ?? 0,
          (each) => records[each]?.isSandbox ?? false,
        );
        const all = records.map((_, each) => each);
        if (filled) list.fill(all);
        else all.forEach(list.add);
        const removed = new Set(all.filter((each) => each % keepEvery !== 0));
        removed.forEach(list.remove);
        const range = { from: Math.min(one, other), to: Math.max(one, other) };

        const expected = all
          .filter((each) => !removed.has(each))
          .filter((each) => asked.includeSandbox || !records[each]?.isSandbox)
          .filter(
            (each) => (records[each]?.search ?? 0) >= range.from && (records[each]?.search ?? 0) <= range.to,
          )
          .sort((left, right) => (records[left]?.sort ?? 0) - (records[right]?.sort ?? 0) || left - right);
        if (asked.newestFirst) expected.reverse();
        expect(list.page({ ...range, ...asked }, skip, limit)).toEqual({
          total: expected.length,
          records: expected.slice(skip, skip + limit),
        });
      },
    ),
    { numRuns: 150 },
  );
});

test('cuts long chunks so that a hundred thousand stay quick to walk', () => {
  const list = createOrderedList(
    (record) => (record * 7919) % 100_000,
    (record) => record,
    () => false,
  );
  for (let record = 0; record < 100_000; record += 1) list.add(record);
  const everything = { from: 0, to: 100_000, newestFirst: false, includeSandbox: false };
  const page = list.page(everything, 50_000, 3);
  expect(page.total).toBe(100_000);
  expect(page.records.map((record) => (record * 7919) % 100_000)).toEqual([50_000, 50_001, 50_002]);
});
