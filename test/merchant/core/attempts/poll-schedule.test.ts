// After a lost answer, polls run at growing gaps. Polling ends after three polls over ten minutes that found nothing.

import {
  firstPollAt,
  hasPolledEnough,
  nextPollAt,
} from '../../../../src/merchant/core/attempts/poll-schedule';

const START = new Date('2026-11-21T00:00:00Z');
const after = (seconds: number) => new Date(START.getTime() + seconds * 1000);

test('polls are made at growing gaps, and the last gap repeats', () => {
  expect(firstPollAt(START)).toEqual(after(5));
  const gaps = [0, 1, 2, 3, 4, 5, 60].map((polls) => nextPollAt(polls, START));
  expect(gaps).toEqual([15, 60, 300, 900, 3600, 3600, 3600].map(after));
});

/** Seconds from the start to each poll that finds nothing, until polling ends. */
function pollsFrom(firstSeconds: number): number[] {
  const polls = [firstSeconds];
  for (
    let now = after(firstSeconds);
    !hasPolledEnough({ notFoundPolls: polls.length - 1, startedAt: START }, now);
  ) {
    now = nextPollAt(polls.length - 1, now, now.getTime() - START.getTime());
    polls.push((now.getTime() - START.getTime()) / 1000);
  }
  return polls;
}

test.each([
  ['whose answer was lost', 5, [5, 20, 80, 380, 600]],
  ['whose process was killed', 60, [60, 75, 135, 435, 600]],
  ['whose process was away for nine minutes', 540, [540, 555, 600]],
  ['whose process was away for an hour', 3600, [3600, 3615, 3675]],
])(
  'an attempt %s, of which the service shows nothing, is given up after ten minutes or three polls',
  (_, first, at) => {
    expect(pollsFrom(first)).toEqual(at);
  },
);

test.each([
  ['two misses in a day', 1, 86_400, false],
  ['three misses in less than ten minutes', 2, 599, false],
  ['three misses over ten minutes', 2, 600, true],
  ['many misses over ten minutes', 9, 601, true],
])('%s: given up %#', (_, notFoundPolls, seconds, enough) => {
  expect(hasPolledEnough({ notFoundPolls, startedAt: START }, after(seconds))).toBe(enough);
});
