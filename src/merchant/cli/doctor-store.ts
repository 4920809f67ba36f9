// The database queries of `npm run doctor`.

import { Client } from 'pg';
import { usualOutcomes } from '../core/webhooks/notification-outcomes';
import { TEST_BUTTON_ADDRESS } from '../payment-service/identifiers';
import { DAY_MS } from '../platform/clock';
import type { Context } from '../platform/context';
import { pendingMigrations } from '../platform/migrations';

const CONNECT_MS = 2_500;

/** PostgreSQL's version, such as "18.4". */
export async function getServerVersion({ database }: Context): Promise<string> {
  const [server] = await database.$queryRaw<
    { version: string }[]
  >`select current_setting('server_version') as version`;
  return server?.version ?? '0';
}

/**
 * The driver's error code if it cannot connect, such as "DEPTH_ZERO_SELF_SIGNED_CERT", which Prisma does not pass on.
 * Null: it can connect, or its error has no code.
 */
export async function findConnectProblem({ config }: Context): Promise<string | null> {
  const client = new Client({ connectionString: config.databaseUrl, connectionTimeoutMillis: CONNECT_MS });
  try {
    await client.connect();
    return null;
  } catch (error) {
    return (error as { code?: string }).code ?? null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The session in which the server's statements run. */
export type Session = {
  isSuperuser: boolean;
  /** Whether it could alter or drop our tables. */
  ownsTables: boolean;
  /** Server timeouts that are not set: a stuck statement would hold a connection for ever. */
  missingLimits: string[];
};

/** Behind a pooler it is one of the pooler's sessions. */
export async function readSession({ database }: Context): Promise<Session> {
  const [session] = await database.$queryRaw<[Session]>`
    select (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      exists (select from pg_tables where schemaname = 'public' and tablename = 'orders'
        and pg_has_role(tableowner, 'usage')) as "ownsTables",
      array(select name from unnest(
          array['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']) as name
        where current_setting(name) = '0') as "missingLimits"`;
  return session;
}

/** The names of migrations that are not applied. */
export function findPendingMigrations({ database }: Context): Promise<string[]> {
  return pendingMigrations((sql) => database.$queryRawUnsafe(sql));
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
