// The time of the database, by which jobs are due.

import type { Context } from './context';

/** As it is now, also within a long transaction. */
export async function readDatabaseTime({ database }: Context): Promise<Date> {
  const [row] = await database.$queryRaw<[{ now: Date }]>`select clock_timestamp() as now`;
  return row.now;
}
