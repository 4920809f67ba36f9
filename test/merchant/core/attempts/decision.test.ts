// When a person may decide about an attempt, and which fields a decision must have.

import { findStatusProblem } from '../../../../src/merchant/core/attempts/decision';
import { chargeAttempt } from '../../../../src/merchant/core/charges/attempt';
import { refundAttempt } from '../../../../src/merchant/core/refunds/attempt';

const STARTED = new Date('2026-11-21T00:00:00Z');
const inSeconds = (seconds: number) => new Date(STARTED.getTime() + seconds * 1000);

test.each([
  ['an attempt whose call is under way is not for a person to settle', 'pending', 86_400, 'pending'],
  ['an attempt whose answer was just lost is left to the polls', 'unknown', 599, 'pending'],
  ['what the polls had ten minutes for can be settled', 'unknown', 600, undefined],
  ['what only a person can tell can be settled at once', 'needs_review', 0, undefined],
  ['what is known is settled already', 'paid', 86_400, 'already_settled'],
] as const)('%s', (_, status, seconds, problem) => {
  expect(findStatusProblem({ status, startedAt: STARTED }, inSeconds(seconds))?.kind).toBe(problem);
});

test('a scheduled charge can be decided ten minutes after its time, and a missing attempt cannot be decided', () => {
  const scheduled = { status: 'unknown' as const, startedAt: STARTED, scheduleAt: inSeconds(3600) };
  expect(findStatusProblem(scheduled, inSeconds(4199))).toEqual({ kind: 'pending' });
  expect(findStatusProblem(scheduled, inSeconds(4200))).toBeNull();
  expect(findStatusProblem(null, STARTED)).toEqual({ kind: 'not_found' });
});

test.each([
  ['without a note', { note: undefined }],
  ['with a note of 501 characters', { note: 'x'.repeat(501) }],
  ['with an unknown outcome', { outcome: 'lost' }],
  ['with a field that nothing reads', { force: true }],
])('a decision %s is refused', (_, fields) => {
  for (const schema of [chargeAttempt.decision.schema, refundAttempt.decision.schema]) {
    const decision = { outcome: 'not_executed', note: 'seen in the console' };
    expect(schema.parse(decision)).toEqual({ ...decision, by: 'api' });
    expect(schema.safeParse({ ...decision, ...fields }).success).toBe(false);
  }
});
