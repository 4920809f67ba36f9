// Reconciliation covers all of the time since the first order, in windows of at most 90 days.

import fc from 'fast-check';
import {
  firstWindow,
  historyBegin,
  LONGEST_PERIOD_MS,
  shorterWindow,
  spanFrom,
  startingPosition,
} from '../../../src/merchant/reconciliation/windows';
import { holds } from '../../support/property';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date('2026-11-21T00:00:00Z');
const BEGIN = new Date('2020-01-01T00:00:00Z');
const before = (ms: number) => new Date(+NOW - ms);
const start = (position: { comparedTo: Date; lookedBackAt: Date } | null, lookBack = false, begin = BEGIN) =>
  startingPosition({ position, now: NOW, historyBeginsAt: begin, lookBack });

describe('a reconciliation starts', () => {
  test('at the first order when it is the first one', () => {
    expect(start(null)).toEqual({ comparedTo: BEGIN, lookedBackAt: NOW });
  });
  test('where the last one ended, with an hour of overlap', () => {
    const position = { comparedTo: before(5 * 60_000), lookedBackAt: before(2 * HOUR) };
    expect(start(position)).toEqual(position);
    expect(spanFrom(position, NOW)).toEqual({ from: before(5 * 60_000 + HOUR), to: NOW });
  });
  test('90 days back once a day, and when somebody asks for it', () => {
    const back = { comparedTo: before(LONGEST_PERIOD_MS), lookedBackAt: NOW };
    expect(start({ comparedTo: before(HOUR), lookedBackAt: before(DAY + HOUR) })).toEqual(back);
    expect(start({ comparedTo: before(HOUR), lookedBackAt: before(2 * HOUR) }, true)).toEqual(back);
  });
  test('no earlier than the first order, and no later than it had come', () => {
    expect(
      start({ comparedTo: before(HOUR), lookedBackAt: before(2 * HOUR) }, true, before(3 * DAY)).comparedTo,
    ).toEqual(before(3 * DAY));
    const lagging = { comparedTo: before(200 * DAY), lookedBackAt: before(200 * DAY) };
    expect(start(lagging).comparedTo).toEqual(before(200 * DAY));
  });
  test('where it was, when it was interrupted on its way back', () => {
    const underWay = { comparedTo: before(40 * DAY), lookedBackAt: before(2 * DAY) };
    expect(start(underWay, true)).toEqual(underWay);
  });
  test('90 days back when the service’s clock was set back', () => {
    const ahead = { comparedTo: new Date(+NOW + 30 * DAY), lookedBackAt: new Date(+NOW + 30 * DAY) };
    expect(start(ahead)).toEqual({ comparedTo: before(LONGEST_PERIOD_MS), lookedBackAt: NOW });
  });
});

describe('history begins a day before the first order', () => {
  test.each([
    ['and the host’s clock is right', 0, 0],
    ['the host’s clock is ahead by twelve hours', 12 * HOUR, 12 * HOUR],
    ['the host’s clock is behind by twelve hours, or the service has travelled', -12 * HOUR, 0],
  ])('%s', (_, offByMs, earlierMs) => {
    const firstOrderAt = before(10 * DAY);
    const hostNow = new Date(+NOW + offByMs);
    expect(historyBegin(firstOrderAt, hostNow, NOW)).toEqual(new Date(+firstOrderAt - earlierMs - DAY));
  });
  test('and now where nothing was ever ordered', () => {
    expect(historyBegin(null, NOW, NOW)).toEqual(NOW);
  });
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
          expect(window.from).toEqual(from);
          expect(+window.to - +window.from).toBeLessThanOrEqual(LONGEST_PERIOD_MS);
          if (+window.to >= +span.to) return;
          expect(+window.to).toBeGreaterThan(+window.from);
          from = window.to;
        }
        throw new Error('the span was never covered');
      },
    ),
  );
});
