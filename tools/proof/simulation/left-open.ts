// Rows that are still open, and the job that completes each.

import type { PreparedRows } from './prepared-rows';

export type LeftOpen = {
  what: string;
  /** The name of the job. */
  job: string;
  count: number;
  /** When it is due, in milliseconds; null if it can be tried at any time. */
  dueMs: number | null;
};

/** Returns the number of open rows of each kind, without kinds that have none. */
export function findLeftOpen(rows: Pick<PreparedRows, 'query'>): Promise<LeftOpen[]> {
  return rows.query<LeftOpen>(`select * from (${LEFT_OPEN}) each where count > 0`);
}

const milliseconds = (time: string) => `(extract(epoch from ${time}) * 1000)::float8`;

/** Queued rows must have a next attempt; otherwise they would never be retried. */
const LEFT_OPEN = `
  select 'notifications' as what, 'retry-due-notifications' as job, count(*)::int as count,
      ${milliseconds('min(next_attempt_at)')} as "dueMs"
    from notifications where next_attempt_at is not null or outcome is null or outcome = 'queued'
  union all select 'issuances', 'recover-unresolved-attempts', count(*)::int, null
    from billing_key_issuances where status in ('pending', 'unknown')
  union all select 'keys', 'recover-removals', count(*)::int, null
    from billing_keys where status in ('pending', 'removing')
  union all select 'charges', 'recover-unresolved-attempts', count(*)::int, null
    from charges where status in ('pending', 'unknown')
  union all select 'schedules', 'recover-unresolved-attempts', count(*)::int, ${milliseconds('min(schedule_at)')}
    from charges where status = 'scheduled'
  union all select 'revocations', 'revoke-schedules', count(*)::int, ${milliseconds('min(next_try_at)')}
    from schedule_revocations
  union all select 'refunds', 'recover-unresolved-attempts', count(*)::int, null
    from refunds where status in ('pending', 'unknown')
  union all select 'plans', 'advance-subscriptions', count(*)::int, ${milliseconds('min(check_at)')}
    from subscriptions where status in ('active', 'past_due')
  union all select 'events', 'deliver-events', count(*)::int, null from events where position is null
  union all select 'deliveries', 'deliver-events', count(*)::int, ${milliseconds('min(next_attempt_at)')}
    from event_deliveries where delivered_at is null`;
