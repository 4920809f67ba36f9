// A process beside one that has locked rows: it skips them, and does not wait.

import { Client } from 'pg';
import { eventually } from './eventually';
import type { Rows } from './rows';

type Running = { rows: Rows; database: { url: string } };

/** Acts while another connection holds the locks of a statement. Fails if the act waits for one. */
export async function besideLock<T>(
  { rows, database }: Running,
  lock: string,
  act: () => Promise<T>,
): Promise<T> {
  const other = new Client({ connectionString: database.url });
  await other.connect();
  await other.query('begin');
  await other.query(lock);
  let hasEnded = false;
  const acting = act().finally(() => {
    hasEnded = true;
  });
  const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  try {
    await eventually(async () => hasEnded || (await rows.query(waits)).length > 0);
    expect(hasEnded ? 'goes on' : 'waits').toBe('goes on');
  } finally {
    await other.end();
  }
  return acting;
}
