// A page that waits for something asks again at growing gaps, and not for ever.

import type { Request } from 'express';
import { attemptOf, LAST_ATTEMPT, refreshAfter } from '../../../src/merchant/http/refresh';

test('a page asks again ever more seldom, and stops after a while', () => {
  const gaps = Array.from({ length: LAST_ATTEMPT }, (_, attempt) => refreshAfter(attempt) ?? 0);
  expect(gaps).toEqual([3, 5, 8, 15, 30, 60, 120]);
  expect([LAST_ATTEMPT, 99].map(refreshAfter)).toEqual([null, null]);
});

test.each([undefined, '', '-1', '1e1', '007', '100', 'x', ['1', '2'], '\r\nset-cookie:a=b'])(
  'attempt=%j counts as the first',
  (attempt) => expect(attemptOf({ query: { attempt } } as unknown as Request)).toBe(0),
);

test('any other attempt is counted', () => {
  expect(attemptOf({ query: { attempt: '12' } } as unknown as Request)).toBe(12);
});
