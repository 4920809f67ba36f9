// The list behind §4.5 gives the same pages and counts as plain filtering, sorting and slicing.

import fc from 'fast-check';
import { createOrderedList } from '../../../../src/sandbox/state/storage/ordered-list';

test('pages and counts as filtering, sorting and slicing would, after any adding and removing', () => {
  const time = fc.integer({ min: 0, max: 30 });
  const isSandbox = fc.nat(9).map((number) => number === 0);
  const rows = fc.array(fc.record({ sort: time, search: time, isSandbox }), { maxLength: 1500 });
  const query = fc.record({
    from: time,
    to: time,
    newestFirst: fc.boolean(),
    includeSandbox: fc.boolean(),
  });
  const cut = fc.record({ skip: fc.nat(100), limit: fc.integer({ min: 1, max: 50 }) });
  const built = fc.record({ keepEvery: fc.integer({ min: 1, max: 4 }), atOnce: fc.boolean() });
  fc.assert(
    fc.property(rows, built, query, cut, (records, { keepEvery, atOnce }, asked, { skip, limit }) => {
      const row = (each: number) => records[each] ?? { sort: 0, search: 0, isSandbox: false };
      const list = createOrderedList(
        (each) => row(each).sort,
        (each) => row(each).search,
        (each) => row(each).isSandbox,
      );
      const all = records.map((_, each) => each);
      if (atOnce) list.fill(all);
      else all.forEach(list.add);
      all.filter((each) => each % keepEvery !== 0).forEach(list.remove);

      const expected = all
        .filter((each) => each % keepEvery === 0)
        .filter((each) => asked.includeSandbox || !row(each).isSandbox)
        .filter((each) => row(each).search >= asked.from && row(each).search <= asked.to)
        .sort((left, right) => row(left).sort - row(right).sort || left - right);
      if (asked.newestFirst) expected.reverse();
      expect(list.page(asked, skip, limit)).toEqual({
        total: expected.length,
        records: expected.slice(skip, skip + limit),
      });
    }),
    { numRuns: 150 },
  );
});
