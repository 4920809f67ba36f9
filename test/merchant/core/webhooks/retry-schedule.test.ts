// A payment that could not be verified is synced again at growing gaps, until a limit that depends on the outcome.

import { nextAttemptAt, type Attempt } from '../../../../src/merchant/core/webhooks/retry-schedule';

type Options = Partial<Attempt> & { limit?: number };

/** Follows the schedule from the first attempt to its end: seconds from one attempt to the next. */
function gaps(outcome: Attempt['outcome'], { limit = 40, ...options }: Options = {}): number[] {
  const receivedAt = new Date('2026-01-01T00:00:00Z');
  const seconds: number[] = [];
  let now = receivedAt;
  for (let attempts = 1; attempts <= limit; attempts += 1) {
    const ageMs = now.getTime() - receivedAt.getTime();
    const fixed = { outcome, reason: null, isBehindReport: false, putOffMs: null };
    const next = nextAttemptAt({ ...fixed, ...options, attempts, ageMs, now });
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

test('M35 while the service does not answer, no gap is longer than fifteen seconds', () => {
  expect(gaps('queued', { limit: 6, isOutage: true })).toEqual([2, 5, 15, 15, 15, 15]);
});

test('M36 the older a paced notification is, the longer it waits, and those of one moment do not wait equally long', () => {
  const paced = { reason: 'paced', putOffMs: 2_000, limit: 4 };
  expect(gaps('queued', { ...paced, spread: 0 })).toEqual([1, 1.125, 1.265, 1.423]);
  expect(gaps('queued', { ...paced, spread: 0.5 })).toEqual([2, 2.5, 3.125, 3.906]);
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
