// One reconciliation at a time over all processes of a database. It is an advisory lock on a connection of its own:
// PostgreSQL releases it when the process that held it is gone, however it ended, so no lease has to expire first.

import { Client } from 'pg';
import type { Context } from '../../platform/context';
import { DatabaseError } from '../../platform/errors';

export type ReconciliationLock = {
  /** Aborted when the connection breaks: another process may hold the lock by then. */
  lost: AbortSignal;
  release(): Promise<void>;
};

/** Arbitrary advisory lock id. */
const LOCK_ID = 79337;
// A host that vanished is given up after half a minute, not after two hours.
const KEEPALIVE = '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

/**
 * Returns null while another reconciliation is under way.
 * @throws DatabaseError
 */
export async function acquireReconciliationLock(context: Context): Promise<ReconciliationLock | null> {
  const client = new Client({
    connectionString: context.config.databaseDirectUrl,
    connectionTimeoutMillis: 2500,
    keepAlive: true,
    application_name: 'merchant-reconciliation',
    options: KEEPALIVE,
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
    throw new DatabaseError((error as { code?: string }).code ?? 'unknown');
  }
  await release();
  return null;
}
