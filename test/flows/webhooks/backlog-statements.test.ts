// The cost of a backlog for the database: its statements find their rows by an index, however many checked ones there are.

import {
  bringForward,
  claimDue,
  claimPaced,
  findNextDue,
} from '../../../src/merchant/core/webhooks/due-notification-store';
import { FEATURES } from '../../../src/merchant/features';
import { closeContext, createContext } from '../../../src/merchant/platform/context';
import { eventually } from '../../support/eventually';
import { useRunningContext } from '../../support/use-world';

const WAITING = 2_500;
const running = useRunningContext();

test('notifications that wait for the service are brought forward and claimed without reading the whole inbox', async () => {
  const { rows, clock } = running;
  const { config, logger } = running.context;
  const context = createContext({ config, clock, logger, features: FEATURES });
  await rows.query(
    `insert into notifications (received_at, generation, svc_uid, merchant_uid, claimed_status, source_address,
       outcome, reason, attempts, judged_at, next_attempt_at)
     select $1::timestamptz - n * interval '1 second', 'legacy', 'svc_' || n, 'order-' || n, 'paid', '52.78.100.19',
       case when n <= $2 then 'queued' else 'recorded' end::notification_outcome,
       case when n <= $2 then 'server_error' end, 1, $1,
       case when n <= $2 then $1::timestamptz + interval '10 minutes' end
     from generate_series(1, 20000) as n`,
    [clock.now(), WAITING],
  );
  await rows.query('analyze notifications');
  const before = await scans();

  const forward: number[] = [];
  for (let some = 1; some > 0; forward.push(some)) some = await bringForward(context, 'legacy');
  expect(forward).toEqual([1_000, 1_000, 500, 0]);
  const oldest = await claimDue(context, 'legacy', 32);
  const ids = oldest.map(({ svcUid }) => Number(svcUid.slice('svc_'.length)));
  expect([ids.length, Math.min(...ids), Math.max(...ids)]).toEqual([32, WAITING - 31, WAITING]);
  expect(await claimPaced(context, 32)).toEqual([]);
  expect(await findNextDue(context, 'legacy')).toEqual(new Date(+clock.now() - (WAITING - 32) * 1_000));

  // A connection reports its reads when it ends.
  await closeContext(context);
  await eventually(async () => (await scans()).byIndex > before.byIndex + WAITING);
  expect((await scans()).whole).toBe(before.whole);
});

async function scans(): Promise<{ whole: number; byIndex: number }> {
  const rows = await running.rows.query<{ whole: number; byIndex: number }>(
    `select seq_scan::int as whole, idx_scan::int as "byIndex" from pg_stat_user_tables
     where relname = 'notifications'`,
  );
  return rows[0] ?? { whole: 0, byIndex: 0 };
}
