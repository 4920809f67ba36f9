// The host's clock, set right by the database's. Rows and jobs are due by one clock then, whichever process wrote them and
// however far the clocks of the hosts are off.

import type { Clock } from './clock';
import type { Context } from './context';

/**
 * What the host's clock may differ by. Hosts that keep their time are as close, and the way to the database and back is not
 * known more exactly: two processes of one host have the same time.
 */
const NEGLIGIBLE_MS = 2_000;

type DatabaseClock = Clock & {
  /**
   * Reads the database's time. Until it was read once, the clock is the host's.
   * @returns by how much the host's clock is behind, in milliseconds; negative where it is ahead, 0 where that is negligible
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
      // It was read somewhere between the question and the answer.
      const sinceMs = (host.monotonicMs() - startedMs) / 2;
      const measuredMs = Math.round(databaseTime.getTime() + sinceMs - host.now().getTime());
      behindMs = Math.abs(measuredMs) > NEGLIGIBLE_MS ? measuredMs : 0;
      return behindMs;
    },
  };
}

/** As it is now, also within a long transaction. */
export async function readDatabaseTime({ database }: Context): Promise<Date> {
  const [row] = await database.$queryRaw<[{ now: Date }]>`select clock_timestamp() as now`;
  return row.now;
}
