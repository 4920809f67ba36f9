// Whether traffic should come: the database answers, its schema is the one of this code, and nobody asked us to stop.
// The payment service is not asked: without it notifications are still noted, and everything else says so itself.

import type { Database } from './database';
import { DatabaseFault } from './errors';
import { pendingMigrations } from './migrations';

export type Readiness = {
  reasonsNotReady(): Promise<string[]>;
  /** From now on the answer is "draining". */
  drain(): void;
};

export function createReadiness(database: Database): Readiness {
  let draining = false;
  return {
    drain: () => {
      draining = true;
    },
    async reasonsNotReady() {
      const reasons = draining ? ['draining'] : [];
      try {
        const pending = await pendingMigrations((sql) => database.$queryRawUnsafe(sql));
        if (pending.length > 0)
          reasons.push(`migrations missing: ${pending.join(', ')}; run: npm run migrate`);
      } catch (error) {
        reasons.push(error instanceof DatabaseFault ? `database: ${error.code}` : (error as Error).message);
      }
      return reasons;
    },
  };
}
