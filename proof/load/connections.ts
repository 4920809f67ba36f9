// The merchants' connections to PostgreSQL. How many there are follows the work: a pool opens one for each statement that
// comes while the others are in use, and closes those that nobody has used for ten seconds. So two moments of a load say
// nothing about a leak. What does: they never exceed what a process may have, and after the work those for requests go.

import { setTimeout as pause } from 'node:timers/promises';
import type { Rows } from '../../test/support/rows';
import type { Stretch } from './samples';
import type { Stage } from './stage';

/** What docs/08-scaling.md tells the administrator of the database. */
const OF_A_PROCESS = 23;

/** Returns one sentence if the merchants have had more than is written down. */
export function findTooMany({ slots }: Stage, stretches: readonly Stretch[]): string[] {
  const most = Math.max(...stretches.map(({ connections }) => connections));
  const allowed = slots.length * OF_A_PROCESS;
  return most <= allowed ? [] : [`${most} connections, and ${allowed} are allowed`];
}

/** Those of `openDatabase`. The job engine asks every second, so that some of its own always stay. */
const FOR_REQUESTS = `select count(*)::int as held from pg_stat_activity
  where datname = current_database() and application_name = 'merchant'`;
/** Jobs that run every minute open a few for ten seconds. */
const GONE_WITHIN_MS = 60_000;

/** Returns one sentence if a connection stays that nobody uses: it was taken and never given back. */
export async function findHeld(rows: Rows): Promise<string[]> {
  for (const until = performance.now() + GONE_WITHIN_MS; ; await pause(100)) {
    const held = (await rows.query<{ held: number }>(FOR_REQUESTS))[0]?.held;
    if (held === 0) return [];
    if (performance.now() > until)
      return [`${held} connections are held ${GONE_WITHIN_MS} ms after the last request`];
  }
}
