// Checks the merchants' connections to PostgreSQL. Pools open connections on demand and close them after ten idle seconds, so two
// samples under load cannot show a leak. Instead: the number never exceeds the maximum of a process, and after the load the
// connections for requests are closed.

import { setTimeout as pause } from 'node:timers/promises';
import type { Rows } from '../../../test/support/rows';
import type { Stretch } from './samples';
import type { Stage } from './stage';

/** The number in docs/08-scaling.md. */
const OF_A_PROCESS = 23;

/** Returns one sentence if the merchants had more than the documented number. */
export function findTooMany({ slots }: Stage, stretches: readonly Stretch[]): string[] {
  const most = Math.max(...stretches.map(({ connections }) => connections));
  const allowed = slots.length * OF_A_PROCESS;
  return most <= allowed ? [] : [`${most} connections, and ${allowed} are allowed`];
}

/** The connections of `openDatabase`. The job engine polls every second, so some of its connections always stay open. */
const FOR_REQUESTS = `select count(*)::int as held from pg_stat_activity
  where datname = current_database() and application_name = 'merchant'`;
/** Jobs of every minute open a few connections for ten seconds. */
const GONE_WITHIN_MS = 60_000;

/** Returns one sentence if an idle connection stays open, because it was never released to its pool. */
export async function findHeld(rows: Rows): Promise<string[]> {
  for (const until = performance.now() + GONE_WITHIN_MS; ; await pause(100)) {
    const held = (await rows.query<{ held: number }>(FOR_REQUESTS))[0]?.held;
    if (held === 0) return [];
    if (performance.now() > until)
      return [`${held} connections are held ${GONE_WITHIN_MS} ms after the last request`];
  }
}
