// Reconciliation covers all of the time since the first order, in windows of at most 90 days.

import fc from 'fast-check';
import {
  firstWindow,
  historyBegin,
  shorterWindow,
  spanFrom,
  startingPosition,
} from '../../../../src/merchant/core/reconciliation/windows';
import { LONGEST_PERIOD_MS } from '../../../../src/merchant/payment-service/payments';
import { holds } from '../../../support/property';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date('2026-11-21T00:00:00Z');
const BEGIN = new Date('2020-01-01T00:00:00Z');
const before = (ms: number) => new Date(+NOW - ms);
const start = (position: { comparedTo: Date; lookedBackAt: Date } | null, lookBack = false, begin = BEGIN) =>
  startingPosition({ position, now: NOW, historyBeginsAt: begin, lookBack });

const at = (to: number, back: number) => ({ comparedTo: before(to), lookedBackAt: before(back) });
const usual = at(HOUR, 2 * HOUR);
const lagging = at(200 * DAY, 200 * DAY);

describe('a reconciliation starts', () => {
  test('where the last one ended, with an hour of overlap', () => {
    expect(start(usual)).toEqual(usual);
    expect(spanFrom(usual, NOW)).toEqual({ from: before(2 * HOUR), to: NOW });
  });

  test.each<[string, Date, ReturnType<typeof start>]>([
    ['at the first order when it is the first one', BEGIN, start(null)],
    ['90 days back once a day', before(90 * DAY), start(at(HOUR, DAY + HOUR))],
    ['90 days back on request', before(90 * DAY), start(usual, true)],
    ['no earlier than the first order', before(3 * DAY), start(usual, true, before(3 * DAY))],
    ['no later than it had come', before(200 * DAY), start(lagging)],
    ['90 days back when the service’s clock was set back', before(90 * DAY), start(at(-30 * DAY, -30 * DAY))],
  ])('%s', (_, comparedTo, position) => {
    expect(position).toEqual({ comparedTo, lookedBackAt: NOW });
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

test('windows of at most 90 days cover a span without a gap, however often they are shortened', () => {
  const share = fc.double({ min: 0.000001, max: 0.99, noNaN: true });
  holds(
    fc.property(
      fc.integer({ min: 0, max: 400 * 86_400 }),
      fc.array(share, { maxLength: 5 }),
      (seconds, shares) => {
        const span = { from: before(seconds * 1000), to: NOW };
        let from = span.from;
        for (let windows = 0; windows < 10_000; windows += 1) {
          let window = firstWindow({ from, to: span.to });
          // Only the first few are shortened, so that the property ends.
          for (const each of windows < 20 ? shares : []) window = shorterWindow(window, each) ?? window;
          const length = +window.to - +window.from;
          const isLast = +window.to >= +span.to;
          if (+window.from !== +from || length > LONGEST_PERIOD_MS || (length <= 0 && !isLast)) return false;
          if (isLast) return true;
          from = window.to;
        }
        return false;
      },
    ),
  );
});
