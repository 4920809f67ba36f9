// Whether traffic should come: the database answers, its schema is the one of this code, and nobody asked us to stop.
// The payment service is not asked: without it notifications are still stored, and everything else says so itself.

import type { Context } from './context';
import { DatabaseError } from './errors';
import { pendingMigrations } from './migrations';

export type Readiness = ReturnType<typeof createReadiness>;

export function createReadiness({ database }: Context) {
  let draining = false;
  return {
    /** From now on a reason is "draining". */
    drain(): void {
      draining = true;
    },

    /** Why no traffic should come. Empty when ready. */
    async reasonsNotReady(): Promise<string[]> {
      const reasons = draining ? ['draining'] : [];
      try {
        const pending = await pendingMigrations((sql) => database.$queryRawUnsafe(sql));
        if (pending.length > 0)
          reasons.push(`migrations missing: ${pending.join(', ')}; run: npm run migrate`);
      } catch (error) {
        reasons.push(error instanceof DatabaseError ? `database: ${error.code}` : (error as Error).message);
      }
      return reasons;
    },
  };
}
