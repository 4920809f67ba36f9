import { firstLookAt, hasLookedEnough, nextLookAt } from '../../src/merchant/lookup-plan';

const START = new Date('2026-11-21T00:00:00Z');
const after = (seconds: number) => new Date(START.getTime() + seconds * 1000);

test('looks come at growing gaps, and the last gap repeats', () => {
  expect(firstLookAt(START)).toEqual(after(5));
  const gaps = [0, 1, 2, 3, 4, 5, 60].map((lookups) => nextLookAt(lookups, START));
  expect(gaps).toEqual([15, 60, 300, 900, 3600, 3600, 3600].map(after));
});

test.each([
  ['two misses in a day', 1, 86_400, false],
  ['three misses in less than ten minutes', 2, 599, false],
  ['three misses over ten minutes', 2, 600, true],
  ['many misses over ten minutes', 9, 601, true],
])('%s: given up %#', (_, misses, seconds, enough) => {
  expect(hasLookedEnough({ misses, startedAt: START }, after(seconds))).toBe(enough);
});
