// Allows one reconciliation at a time over all processes of a database. It uses an advisory lock on a separate
// connection: PostgreSQL releases it when the process is gone, however it ended, so there is no lease to wait for.

import { Client } from 'pg';
import type { Context } from '../../platform/context';
import { connectCode } from '../../platform/database-pool';
import { connectionTo } from '../../platform/database-session';
import { DatabaseError } from '../../platform/errors';

type ReconciliationLock = {
  /** Aborted when the connection breaks. Another process may then have the lock. */
  lost: AbortSignal;
  release(): Promise<void>;
};

/** Arbitrary advisory lock id. */
const LOCK_ID = 79337;
// Detects a vanished host after half a minute instead of two hours.
const KEEPALIVE = '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

/**
 * Returns null while another reconciliation is under way.
 * @throws DatabaseError
 */
export async function acquireReconciliationLock(context: Context): Promise<ReconciliationLock | null> {
  const client = new Client({
    ...connectionTo(context.config.databaseDirectUrl, { options: KEEPALIVE }),
    connectionTimeoutMillis: 2500,
    keepAlive: true,
    application_name: 'merchant-reconciliation',
  });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  const release = () => client.end().catch(() => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ acquired: boolean }>(
      'select pg_try_advisory_lock($1) as acquired',
      [LOCK_ID],
    );
    if (rows[0]?.acquired) return { lost: lost.signal, release };
  } catch (error) {
    await release();
    throw new DatabaseError(connectCode(error));
  }
  await release();
  return null;
}
