// The database queries of `npm run doctor`.

import { usualOutcomes } from '../core/webhooks/notification-outcomes';
import { TEST_BUTTON_ADDRESS } from '../payment-service/identifiers';
import { DAY_MS } from '../platform/clock';
import type { Context } from '../platform/context';
import { findMissingMigrations, readMigrations } from '../platform/migrations';

/** The session in which the server's statements run. */
export type Session = {
  /** PostgreSQL's, such as "18.4". */
  version: string;
  isSuperuser: boolean;
  /** Whether it could alter or drop our tables. */
  ownsTables: boolean;
};

/** Behind a pooler it is one of the pooler's sessions. */
export async function readSession({ database }: Context): Promise<Session> {
  const [session] = await database.$queryRaw<[Session]>`
    select current_setting('server_version') as version,
      (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      exists (select from pg_tables where schemaname = 'public' and tablename = 'orders'
        and pg_has_role(tableowner, 'usage')) as "ownsTables"`;
  return session;
}

/** The names of migrations that are not applied. */
export async function findPendingMigrations({ database }: Context): Promise<string[]> {
  return findMissingMigrations((sql) => database.$queryRawUnsafe(sql), await readMigrations());
}

/** When the service's test button was last answered as a test (§6.3). Null: not in the last 30 days. */
export async function findTestNotification({ database, clock }: Context): Promise<Date | null> {
  // The second condition matches the partial index of rare outcomes.
  const [row] = await database.$queryRaw<{ receivedAt: Date }[]>`
    select received_at as "receivedAt" from notifications
    where outcome = 'test' and outcome not in ${usualOutcomes.sql} and source_address = ${TEST_BUTTON_ADDRESS}
      and received_at >= ${new Date(+clock.now() - 30 * DAY_MS)}::timestamptz
    order by id desc limit 1`;
  return row?.receivedAt ?? null;
}

type FirstPayment = { svcUid: string; merchantUid: string; isRefunded: boolean };

/**
 * The payment of this amount in won that shows most: a refunded one, or else the newest. Reads only orders changed in
 * the last 90 days, so that the statement uses an index. Null if there is none.
 */
export async function findFirstPayment(
  { database, clock }: Context,
  amount: number,
): Promise<FirstPayment | null> {
  const [payment] = await database.$queryRaw<FirstPayment[]>`
    select p.svc_uid as "svcUid", p.merchant_uid as "merchantUid",
      p.cancel_amount = p.amount as "isRefunded"
    from orders o join payments p using (merchant_uid)
    where o.updated_at >= ${clock.now()}::timestamptz - interval '90 days' and o.amount = ${amount}
      and p.status in ('paid', 'cancelled') and p.amount = ${amount} and p.currency = 'KRW' and p.counted
    order by 3 desc, p.created_at desc
    limit 1`;
  return payment ?? null;
}
