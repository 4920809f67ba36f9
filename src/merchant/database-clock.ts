// The host's clock, set right by the database's. Rows and jobs are due by one clock then, whichever process wrote them and
// however far the clocks of the hosts are off.

import type { Clock } from './clock';

export type DatabaseClock = Clock & {
  /**
   * Reads the database's time. Until it was read once, the clock is the host's.
   * @returns by how much the host's clock is behind, in milliseconds; negative where it is ahead
   */
  adjust(readDatabaseTime: () => Promise<Date>): Promise<number>;
};

export function createDatabaseClock(host: Clock): DatabaseClock {
  let behindMs = 0;
  return {
    now: () => new Date(host.now().getTime() + behindMs),
    monotonicMs: () => host.monotonicMs(),
    async adjust(readDatabaseTime) {
      const startedMs = host.monotonicMs();
      const databaseTime = await readDatabaseTime();
      // It was read somewhere between the question and the answer.
      const sinceMs = (host.monotonicMs() - startedMs) / 2;
      behindMs = Math.round(databaseTime.getTime() + sinceMs - host.now().getTime());
      return behindMs;
    },
  };
}
