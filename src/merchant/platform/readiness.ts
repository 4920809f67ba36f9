// Readiness: the database answers in time, accepts writes and has all migrations, and the process is not stopping. The
// payment service is not checked: without it notifications are still stored, and other routes report the outage
// themselves.

import { within } from './clock';
import type { Context } from './context';
import { databaseReason } from './database-problems';
import { DatabaseError } from './errors';
import { findMissingMigrations, readMigrations, type Migration } from './migrations';

export type Readiness = ReturnType<typeof createReadiness>;

/** The route needs no key, so the result is cached for this time. */
const KEPT_MS = 1_000;
/** Shorter than the usual timeout of probes. */
const ANSWER_WITHIN_MS = 2_000;

/**
 * Takes no lock and changes no row, but fails on a read-only server (25006): a standby, or one with
 * default_transaction_read_only. The pool drops a connection whose statement has failed, so the next check uses a new
 * one, which may lead to the new primary.
 */
const TAKES_WRITES = 'select from _prisma_migrations where false for update';
const READ_ONLY = '25006';

export function createReadiness({ database, clock }: Pick<Context, 'database' | 'clock'>) {
  let draining = false;
  let migrations: readonly Migration[] | undefined;
  let running: Promise<string[]> | undefined;
  let last: { reasons: string[]; atMs: number } | undefined;

  /** Concurrent calls share one check, and its result is cached. */
  async function check(): Promise<string[]> {
    if (last !== undefined && clock.monotonicMs() - last.atMs < KEPT_MS) return last.reasons;
    running ??= within(ANSWER_WITHIN_MS, askDatabase()).then((known) => {
      const reasons = known ?? [`database: no answer within ${ANSWER_WITHIN_MS} ms`];
      last = { reasons, atMs: clock.monotonicMs() };
      running = undefined;
      return reasons;
    });
    return running;
  }

  async function askDatabase(): Promise<string[]> {
    try {
      // Read once: the files of a running program do not change.
      migrations ??= await readMigrations();
      const missing = await findMissingMigrations((sql) => database.$queryRawUnsafe(sql), migrations);
      if (missing.length > 0) return [`migrations missing: ${missing.join(', ')}; run: npm run migrate`];
      await database.$queryRawUnsafe(TAKES_WRITES);
      return [];
    } catch (error) {
      if (!(error instanceof DatabaseError)) return [(error as Error).message];
      if (error.code === READ_ONLY) return ['database: read-only'];
      return [`database: ${error.code}, ${databaseReason(error.code).says}`];
    }
  }

  return {
    /** From now on, "draining" is one of the reasons. */
    drain(): void {
      draining = true;
    },

    /**
     * Why this process must not get traffic; empty if it is ready. The result of the database check is up to one second
     * old.
     */
    async reasonsNotReady(): Promise<string[]> {
      const reasons = await check();
      return draining ? ['draining', ...reasons] : reasons;
    },
  };
}
