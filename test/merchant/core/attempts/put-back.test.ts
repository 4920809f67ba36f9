// In the sandbox a person can put the clock back. What was written at the later time is then old, not fresh.

import { findStatusProblem } from '../../../../src/merchant/core/attempts/decision';
import { hasPolledEnough } from '../../../../src/merchant/core/attempts/poll-schedule';
import { isRecent } from '../../../../src/merchant/platform/clock';

const now = new Date('2026-11-21T00:00:00Z');
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);

test('a time is recent until it is too old, and not if it lies ahead by more than clocks of hosts differ', () => {
  const recent = [-61, -59, 0, 59, 61, 40 * 86_400].map((seconds) => isRecent(after(seconds), 60_000, now));
  expect(recent).toEqual([false, true, true, true, false, false]);
});

test('an attempt of a time that was moved away is resolved by polls or by a person', () => {
  const startedAt = after(40 * 86_400);
  expect(hasPolledEnough({ notFoundPolls: 2, startedAt }, now)).toBe(true);
  expect(hasPolledEnough({ notFoundPolls: 2, startedAt: now }, now)).toBe(false);
  expect(findStatusProblem({ status: 'unknown', startedAt }, now)).toBeNull();
  expect(findStatusProblem({ status: 'unknown', startedAt: now }, now)).toEqual({ kind: 'pending' });
});

test('a schedule of a later date is still to come, however old its request is', () => {
  const scheduled = { status: 'unknown' as const, startedAt: after(-86_400), scheduleAt: after(40 * 86_400) };
  expect(findStatusProblem(scheduled, now)).toEqual({ kind: 'pending' });
});
