// The cost of a backlog for the database: the claim finds its rows by an index, however many checked ones there are.

import { claimDue } from '../../../src/merchant/core/webhooks/due-notification-store';
import { FEATURES } from '../../../src/merchant/features';
import { closeContext, createContext } from '../../../src/merchant/platform/context';
import { eventually } from '../../support/eventually';
import { useRunningContext } from '../../support/use-world';

const WAITING = 2_500;
const running = useRunningContext();

test('due notifications are claimed, the longest overdue first, without reading the whole inbox', async () => {
  const { rows, clock } = running;
  const { config, logger } = running.context;
  const context = createContext({ config, clock, logger, features: FEATURES });
  await rows.query(
    `insert into notifications (received_at, generation, svc_uid, merchant_uid, claimed_status, source_address,
       outcome, reason, attempts, judged_at, next_attempt_at)
     select $1::timestamptz - n * interval '1 second', 'legacy', 'svc_' || n, 'order-' || n, 'paid', '52.78.100.19',
       case when n <= $2 then 'queued' else 'recorded' end::notification_outcome,
       case when n <= $2 then 'server_error' end, 1, $1,
       case when n <= $2 then $1::timestamptz - n * interval '1 second' end
     from generate_series(1, 20000) as n`,
    [clock.now(), WAITING],
  );
  await rows.query('analyze notifications');
  const before = await scans();

  const oldest = await claimDue(context, 'legacy', 32);
  const ids = oldest.map(({ svcUid }) => Number(svcUid.slice('svc_'.length)));
  expect([ids.length, Math.min(...ids), Math.max(...ids)]).toEqual([32, WAITING - 31, WAITING]);

  // A connection reports its reads when it ends.
  await closeContext(context);
  await eventually(async () => (await scans()).byIndex > before.byIndex);
  expect((await scans()).whole).toBe(before.whole);
});

async function scans(): Promise<{ whole: number; byIndex: number }> {
  const rows = await running.rows.query<{ whole: number; byIndex: number }>(
    `select seq_scan::int as whole, idx_scan::int as "byIndex" from pg_stat_user_tables
     where relname = 'notifications'`,
  );
  return rows[0] ?? { whole: 0, byIndex: 0 };
}
