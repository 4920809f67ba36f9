// What became of what was begun, counted from the rows.

import type { Stage } from './stage';

export async function tallyRows({ rows, tally }: Stage): Promise<void> {
  for (const { what, count } of await rows.query<{ what: string; count: number }>(COUNTS))
    tally.add(`rows: ${what}`, count);
}

const COUNTS = `
  select concat('charge ', kind, ' ', status) as what, count(*)::int as count from charges group by 1
  union all select concat('refund ', status), count(*)::int from refunds group by 1
  union all select concat('issuance ', status), count(*)::int from billing_key_issuances group by 1
  union all select concat('key ', status), count(*)::int from billing_keys group by 1
  union all select concat('payment ', status), count(*)::int from payments group by 1
  union all select concat('notification ', outcome), count(*)::int from notifications group by 1
  union all select 'notification checked again', count(*)::int from notifications where attempts > 1
  union all select concat('discrepancy ', kind), count(*)::int from discrepancies group by 1
  union all select concat('event ', type), count(*)::int from events group by 1
  union all select 'event delivered in a later attempt', count(*)::int from event_deliveries where attempts > 1`;
