// Keeps the processes on a database from reconciling, which would fetch and store payments beside notifications and
// their retries. It lasts until the database goes away, or until it is released.

import { Client } from 'pg';

/** The lock of `reconciliation-lock.ts`. */
export const RECONCILIATION_LOCK = 79337;

export async function holdReconciliation(databaseUrl: string): Promise<() => Promise<void>> {
  const holder = new Client(databaseUrl);
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('select pg_advisory_lock($1)', [RECONCILIATION_LOCK]);
  return () => holder.end().catch(() => undefined);
}
