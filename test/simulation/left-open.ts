// What has not come to its end in the rows.

import type { Stage } from './stage';

/** Returns how many of each kind are open, of those that are. */
export async function findLeftOpen({ rows }: Pick<Stage, 'rows'>): Promise<{ what: string; count: number }[]> {
  const found = await rows.query<{ what: string; count: number }>(LEFT_OPEN);
  return found.filter(({ count }) => count > 0);
}

export async function isAnythingOpen({ rows, jobs }: Pick<Stage, 'rows' | 'jobs'>): Promise<boolean> {
  return jobs.count() > 0 || (await findLeftOpen({ rows })).length > 0;
}

const LEFT_OPEN = `
  select 'notifications' as what, count(*)::int as count from notifications where next_attempt_at is not null
  union all select 'issuances', count(*)::int from billing_key_issuances where status in ('pending', 'unknown')
  union all select 'keys', count(*)::int from billing_keys where status in ('pending', 'removing')
  union all select 'charges', count(*)::int from charges where status in ('pending', 'unknown', 'scheduled')
  union all select 'refunds', count(*)::int from refunds where status in ('pending', 'unknown')
  union all select 'events', count(*)::int from events where position is null
  union all select 'deliveries', count(*)::int from event_deliveries where delivered_at is null`;
