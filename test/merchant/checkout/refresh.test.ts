// A page that waits for something asks again at growing gaps, and not for ever.

import type { Request } from 'express';
import { attemptOf, LAST_ATTEMPT, refreshAfter } from '../../../src/merchant/http/refresh';

test('a page asks again ever more seldom, and stops after a while', () => {
  const gaps = Array.from({ length: LAST_ATTEMPT }, (_, attempt) => refreshAfter(attempt) ?? 0);
  expect(gaps).toEqual([3, 5, 8, 15, 30, 60, 120]);
  expect([LAST_ATTEMPT, 99].map(refreshAfter)).toEqual([null, null]);
});

test('an attempt that is no number of at most two digits counts as the first', () => {
  const read = (attempt: unknown) => attemptOf({ query: { attempt } } as unknown as Request);
  expect(read('12')).toBe(12);
  for (const odd of [undefined, '', '-1', '1e1', '100', ['1', '2'], '\r\nset-cookie:a=b'])
    expect([odd, read(odd)]).toEqual([odd, 0]);
});
