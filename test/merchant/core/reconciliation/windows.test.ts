// Reconciliation covers all of the time since the first order, in windows of at most a week, and the last 90 days once a night.

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  historyBegin,
  spanFrom,
  startingPosition,
  windowsOf,
} from '../../../../src/merchant/core/reconciliation/windows';
import { holds } from '../../../support/property';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
// The last night began at 04:00 in Korea, 5 hours before.
const NOW = new Date('2026-11-21T00:00:00Z');
const BEGIN = new Date('2020-01-01T00:00:00Z');
const before = (ms: number) => new Date(+NOW - ms);
const start = (
  position: { comparedTo: Date; ninetyDaysAt: Date } | null,
  ninetyDays = false,
  begin = BEGIN,
) => startingPosition({ position, now: NOW, historyBeginsAt: begin, ninetyDays });

const at = (to: number, back: number) => ({ comparedTo: before(to), ninetyDaysAt: before(back) });
const usual = at(HOUR, 2 * HOUR);
const lagging = at(200 * DAY, 200 * DAY);

describe('a reconciliation starts', () => {
  test('where the last one ended, with an hour of overlap', () => {
    expect(start(usual)).toEqual(usual);
    expect(spanFrom(usual, NOW)).toEqual({ from: before(2 * HOUR), to: NOW });
  });

  test('where the last one ended, if ninety days were compared since the night began', () =>
    expect(start(at(HOUR, 5 * HOUR))).toEqual(at(HOUR, 5 * HOUR)));

  test.each<[string, Date, ReturnType<typeof start>]>([
    ['at the first order when it is the first one', BEGIN, start(null)],
    ['90 days back once a night', before(90 * DAY), start(at(HOUR, 5 * HOUR + 1))],
    ['90 days back on request', before(90 * DAY), start(usual, true)],
    ['no earlier than the first order', before(3 * DAY), start(usual, true, before(3 * DAY))],
    ['no later than it had come', before(200 * DAY), start(lagging)],
    ['90 days back when the service’s clock was set back', before(90 * DAY), start(at(-30 * DAY, -30 * DAY))],
  ])('%s', (_, comparedTo, position) => {
    expect(position).toEqual({ comparedTo, ninetyDaysAt: NOW });
  });

  test('where it was interrupted', () =>
    expect(start(at(40 * DAY, 2 * DAY), true)).toEqual(at(40 * DAY, 2 * DAY)));
});

test.each([
  ['is right', 0, 0],
  ['is ahead by twelve hours', 12 * HOUR, 12 * HOUR],
  ['is behind by twelve hours, or the service has travelled', -12 * HOUR, 0],
])('the history begins a day before the first order, and the host’s clock %s', (_, offByMs, earlierMs) => {
  const firstOrderAt = before(10 * DAY);
  const hostNow = new Date(+NOW + offByMs);
  expect(historyBegin(firstOrderAt, hostNow, NOW)).toEqual(new Date(+firstOrderAt - earlierMs - DAY));
});

test('windows of at most a week cover a span without a gap', () => {
  holds(
    fc.property(fc.integer({ min: 1, max: 400 * 86_400 }), (seconds) => {
      const span = { from: before(seconds * 1000), to: NOW };
      const windows = windowsOf(span);
      const begins = [...windows.map(({ from }) => +from), +NOW];
      const ends = [+span.from, ...windows.map(({ to }) => +to)];
      return (
        isDeepStrictEqual(begins, ends) &&
        windows.every(({ from, to }) => +from < +to && +to - +from <= 7 * DAY)
      );
    }),
  );
});
