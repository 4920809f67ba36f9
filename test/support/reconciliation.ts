// Runs and holds the reconciliation job of a world, and compares the payments of both sides.

import { Client } from 'pg';
import { callService } from './calls';
import { NAME_PREFIX } from './config';
import type { World } from './world';

/** The job, as the engine runs it every five minutes. */
export async function runReconcileJob(world: World): Promise<void> {
  await world.rows.query(`select graphile_worker.add_job('reconcile', run_at := 'epoch')`);
  await world.advance(0);
}

/** Resets a world to its initial state, which is faster than a new one. */
export async function resetWorld(world: World): Promise<void> {
  // The notification of a charge may still be on its way.
  await world.sandbox.waitForNotifications();
  await world.sandbox.call('POST', '/reset');
  await world.sandbox.settings({ webhook_url: `${world.url}/webhooks/payments` });
  world.log.clear();
  await world.rows.query(
    'truncate orders, payments, notifications, discrepancies, reconciliation_runs cascade',
  );
}

type ListPage = { list: Record<string, unknown>[]; next: number };

/** Every payment at the service and in our books, one line each, read without the merchant's code. */
export async function bothSides(world: World): Promise<{ service: string[]; stored: string[] }> {
  const service: string[] = [];
  const fields = [`${NAME_PREFIX}_uid`, 'merchant_uid', 'status', 'amount', 'cancel_amount'];
  for (let page = 1; page > 0;) {
    const { list, next }: ListPage = await callService(world, `/payments/status/all?limit=1000&page=${page}`);
    service.push(...list.map((payment) => fields.map((field) => payment[field]).join(' ')));
    page = next;
  }
  const rows = await world.rows.query<{ line: string }>(
    `select concat_ws(' ', svc_uid, merchant_uid, status, amount, cancel_amount) as line from payments`,
  );
  return { service: service.sort(), stored: rows.map(({ line }) => line).sort() };
}

/** The lock of `reconciliation-lock.ts`. */
export const RECONCILIATION_LOCK = 79337;

export async function holdReconciliation(databaseUrl: string): Promise<() => Promise<void>> {
  const holder = new Client(databaseUrl);
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('select pg_advisory_lock($1)', [RECONCILIATION_LOCK]);
  return () => holder.end().catch(() => undefined);
}
