// `reconcile` takes its span as days in Korea, as times with an offset or as UNIX seconds, and refuses everything
// else.

import { UsageError } from '../../../src/merchant/cli/command';
import { readSpan } from '../../../src/merchant/cli/reconcile';

test.each([
  ['2026-11-01', '2026-11-02', '2026-10-31T15:00:00Z', '2026-11-02T15:00:00Z'],
  ['2026-11-01T00:00Z', '2026-11-01T10:30:00+09:00', '2026-11-01T00:00:00Z', '2026-11-01T01:30:00Z'],
  ['1793491200', '1793577600', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'],
])('takes --from %s --to %s', (from, to, fromTime, toTime) => {
  expect(readSpan(from, to)).toEqual({ from: new Date(fromTime), to: new Date(toTime) });
});

test('ends now without --to, and is undefined without both', () => {
  expect(readSpan('2026-11-01', undefined)?.to).toBeNull();
  expect(readSpan(undefined, undefined)).toBeUndefined();
});

test('a period that is not a time, has no start or ends before its start is refused with a message', () => {
  for (const from of ['yesterday', '2026-13-01', '2026-11-01T00:00', ''])
    expect(() => readSpan(from, undefined)).toThrow(UsageError);
  for (const from of [undefined, '2026-11-02'])
    expect(() => readSpan(from, '2026-11-01')).toThrow(UsageError);
});
