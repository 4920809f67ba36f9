// What has not come to its end in the rows, and the job that brings it there.

import type { RecurringJob } from '../../src/merchant/jobs';
import type { PreparedRows } from './prepared-rows';

export type LeftOpen = { what: string; job: RecurringJob; count: number };

/** Returns how many of each kind are open, of those that are. */
export async function findLeftOpen(rows: Pick<PreparedRows, 'query'>): Promise<LeftOpen[]> {
  const found = await rows.query<LeftOpen>(LEFT_OPEN);
  return found.filter(({ count }) => count > 0);
}

const LEFT_OPEN = `
  select 'notifications' as what, 'retry-due-notifications' as job, count(*)::int as count
    from notifications where next_attempt_at is not null
  union all select 'issuances', 'recover-unresolved-attempts', count(*)::int
    from billing_key_issuances where status in ('pending', 'unknown')
  union all select 'keys', 'recover-removals', count(*)::int
    from billing_keys where status in ('pending', 'removing')
  union all select 'charges', 'recover-unresolved-attempts', count(*)::int
    from charges where status in ('pending', 'unknown', 'scheduled')
  union all select 'refunds', 'recover-unresolved-attempts', count(*)::int
    from refunds where status in ('pending', 'unknown')
  union all select 'events', 'deliver-events', count(*)::int from events where position is null
  union all select 'deliveries', 'deliver-events', count(*)::int
    from event_deliveries where delivered_at is null`;
