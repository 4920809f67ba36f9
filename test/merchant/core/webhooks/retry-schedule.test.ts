// A payment that could not be verified is synced again at growing gaps, until a limit that depends on the outcome.

import { nextAttemptAt, type Attempt } from '../../../../src/merchant/core/webhooks/retry-schedule';

type Options = { isBehindReport?: boolean; limit?: number; reason?: string | null };

/** Follows the schedule from the first attempt to its end: seconds from one attempt to the next. */
function gaps(
  outcome: Attempt['outcome'],
  { isBehindReport = false, limit = 40, reason = null }: Options = {},
): number[] {
  const receivedAt = new Date('2026-01-01T00:00:00Z');
  const seconds: number[] = [];
  let now = receivedAt;
  for (let attempts = 1; attempts <= limit; attempts += 1) {
    const ageMs = now.getTime() - receivedAt.getTime();
    const next = nextAttemptAt({ outcome, reason, isBehindReport, putOffMs: null, attempts, ageMs, now });
    if (!next) break;
    seconds.push((next.getTime() - now.getTime()) / 1000);
    now = next;
  }
  return seconds;
}
const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

test('a failed check is retried at growing gaps of at most 15 minutes', () => {
  expect(gaps('queued', { limit: 8 })).toEqual([2, 5, 15, 60, 300, 900, 900, 900]);
});

test('O16 what the database refuses for ever is not retried', () => {
  expect(gaps('queued', { reason: 'value_refused' })).toEqual([]);
});

test('the retries end after a week', () => {
  expect(sum(gaps('queued', { limit: 10_000 })) / 86_400).toBeCloseTo(7, 1);
});

test('a status older than the notified one is fetched again eight times in two minutes', () => {
  const all = gaps('recorded', { isBehindReport: true });
  expect([all.length, sum(all)]).toEqual([8, 120]);
});
