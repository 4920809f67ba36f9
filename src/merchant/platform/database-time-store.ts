// Corrects the host's clock by the database's clock, so that all processes agree when a row or job is due, however far
// the clocks of their hosts differ.

import type { Clock } from './clock';
import type { Context } from './context';

/**
 * A smaller difference is ignored. Synchronised hosts are this close, and the round trip to the database allows no
 * better measurement. Two processes on one host therefore have the same time.
 */
const NEGLIGIBLE_MS = 2_000;

type DatabaseClock = Clock & {
  /**
   * Reads the database's time. Before the first read, this clock is the host's.
   * @returns how far the host's clock is behind, in milliseconds; negative if it is ahead, 0 if the difference is
   * negligible
   */
  adjust(readDatabaseTime: () => Promise<Date>): Promise<number>;
};

export function createDatabaseClock(host: Clock): DatabaseClock {
  let behindMs = 0;
  return {
    now: () => new Date(host.now().getTime() + behindMs),
    monotonicMs: () => host.monotonicMs(),
    wait: (ms, options) => host.wait(ms, options),
    async adjust(readDatabaseTime) {
      const startedMs = host.monotonicMs();
      const databaseTime = await readDatabaseTime();
      // The database read its clock at some time between request and answer: assume the middle.
      const sinceMs = (host.monotonicMs() - startedMs) / 2;
      const measuredMs = Math.round(databaseTime.getTime() + sinceMs - host.now().getTime());
      behindMs = Math.abs(measuredMs) > NEGLIGIBLE_MS ? measuredMs : 0;
      return behindMs;
    },
  };
}

/** The current time, also within a long transaction. */
export async function readDatabaseTime({ database }: Context): Promise<Date> {
  const [row] = await database.$queryRaw<[{ now: Date }]>`select clock_timestamp() as now`;
  return row.now;
}
