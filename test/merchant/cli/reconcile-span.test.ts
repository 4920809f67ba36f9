// `reconcile` takes its span as days in Korea, as times with an offset or as UNIX seconds, and refuses everything
// else.

import { UsageError } from '../../../src/merchant/cli/command';
import { readSpan } from '../../../src/merchant/cli/reconcile-span';

test.each([
  ['2026-11-01', '2026-11-02', '2026-10-31T15:00:00Z', '2026-11-02T15:00:00Z'],
  ['2026-11-01T00:00Z', '2026-11-01T10:30:00+09:00', '2026-11-01T00:00:00Z', '2026-11-01T01:30:00Z'],
  ['1793491200', '1793577600', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'],
])('takes --from %s --to %s', (from, to, fromTime, toTime) => {
  expect(readSpan(from, to)).toEqual({ from: new Date(fromTime), to: new Date(toTime) });
});

test('without --to ends now, without both leaves it to the reconciliation', () => {
  expect(readSpan('2026-11-01', undefined)?.to).toBeNull();
  expect(readSpan(undefined, undefined)).toBeUndefined();
});

test.each([
  [undefined, '2026-11-01'],
  ['yesterday', undefined],
  ['2026-13-01', undefined],
  ['2026-11-01T00:00', undefined],
  ['', undefined],
  ['2026-11-02', '2026-11-01'],
])('refuses --from %s --to %s with a sentence', (from, to) => {
  expect(() => readSpan(from, to)).toThrow(UsageError);
});
