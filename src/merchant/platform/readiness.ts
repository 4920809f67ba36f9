// Whether traffic should come: the database answers in time and takes writes, has what this code needs, and nobody asked
// us to stop. The payment service is not asked: without it notifications are still stored, and everything else says so
// itself.

import type { Context } from './context';
import { DatabaseError } from './errors';
import { findMissingMigrations, readMigrations, type Migration } from './migrations';

export type Readiness = ReturnType<typeof createReadiness>;

/** The route needs no key: the result is cached for this time. */
const KEPT_MS = 1_000;
/** Shorter than what probes usually wait. */
const ANSWER_WITHIN_MS = 2_000;

/**
 * It takes no lock and changes no row, and a server that takes no writes refuses it (25006): a standby, or one on which
 * default_transaction_read_only is set. The pool drops a connection whose statement has failed, so that the next check
 * is made over a new one, which may lead to the new primary.
 */
const TAKES_WRITES = 'select from _prisma_migrations where false for update';
const READ_ONLY = '25006';

export function createReadiness({ database, clock }: Pick<Context, 'database' | 'clock'>) {
  let draining = false;
  let migrations: readonly Migration[] | undefined;
  let running: Promise<string[]> | undefined;
  let last: { reasons: string[]; atMs: number } | undefined;

  /** Copies share one check, and its verdict is kept. */
  async function check(): Promise<string[]> {
    if (last !== undefined && clock.monotonicMs() - last.atMs < KEPT_MS) return last.reasons;
    running ??= withinLimit(askDatabase()).then((reasons) => {
      last = { reasons, atMs: clock.monotonicMs() };
      running = undefined;
      return reasons;
    });
    return running;
  }

  async function askDatabase(): Promise<string[]> {
    try {
      // The files of a running program do not change.
      migrations ??= await readMigrations();
      const missing = await findMissingMigrations((sql) => database.$queryRawUnsafe(sql), migrations);
      if (missing.length > 0) return [`migrations missing: ${missing.join(', ')}; run: npm run migrate`];
      await database.$queryRawUnsafe(TAKES_WRITES);
      return [];
    } catch (error) {
      if (!(error instanceof DatabaseError)) return [(error as Error).message];
      return [error.code === READ_ONLY ? 'database: read-only' : `database: ${error.code}`];
    }
  }

  return {
    /** From now on a reason is "draining". */
    drain(): void {
      draining = true;
    },

    /** Why no traffic should come. Empty when ready. What the database said is up to a second old. */
    async reasonsNotReady(): Promise<string[]> {
      const reasons = await check();
      return draining ? ['draining', ...reasons] : reasons;
    },
  };
}

/** The host's time, as for every limit on a connection: a clock that stands still would wait for ever. */
async function withinLimit(check: Promise<string[]>): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<string[]>((resolve) => {
    timer = setTimeout(
      () => resolve([`database: no answer within ${ANSWER_WITHIN_MS} ms`]),
      ANSWER_WITHIN_MS,
    );
  });
  try {
    return await Promise.race([check, tooSlow]);
  } finally {
    clearTimeout(timer);
  }
}
