// What an attempt to check notifications has shown, for their rows in the inbox. Where the attempt has a verdict to write,
// both are one statement.

import type { NotificationOutcome } from '../../../generated/prisma/client';

export type Settlement = {
  /** Of the notifications that the attempt is for. */
  ids: readonly bigint[];
  outcome: NotificationOutcome;
  /** Why it is queued; null otherwise. */
  reason: string | null;
  /** Null when nothing is left to check. */
  nextAttemptAt: Date | null;
  /** Whether the service was asked: an attempt that was put off does not count. */
  wasAsked: boolean;
  now: Date;
};

/** One row for each notification, for `settlementRows`. */
export function toSettlementRows({ ids, outcome, reason, nextAttemptAt, wasAsked, now }: Settlement) {
  const written = { outcome, reason, next_attempt_at: nextAttemptAt, asked: wasAsked ? 1 : 0, now };
  return ids.map((id) => ({ id: String(id), ...written }));
}

/** The rows in `parameter`, such as `$1`, as the table `s`. */
export const settlementRows = (parameter: string) => `jsonb_to_recordset(${parameter}::jsonb) as s (
  position int, id bigint, outcome notification_outcome, reason text, next_attempt_at timestamptz, asked int, now timestamptz)`;

/** To be followed by where the rows `s` come from. */
export const SETTLE_FROM = `update notifications n set outcome = s.outcome, reason = s.reason, judged_at = s.now,
  next_attempt_at = s.next_attempt_at, attempts = n.attempts + s.asked from`;
