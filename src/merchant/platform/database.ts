// The connection to PostgreSQL through Prisma. Every error of the driver leaves here as a DatabaseError with a code,
// because Prisma's own messages show argument values.

import { PrismaPg } from '@prisma/adapter-pg';
import { Prisma, PrismaClient } from '../../generated/prisma/client';
import { LimitedPool } from './database-pool';
import { DatabaseError } from './errors';

export type Database = ReturnType<typeof openDatabase>;
/** The client within a transaction. */
export type Transaction = Prisma.TransactionClient;

/** Codes with a meaning for the caller: unique violation, row not found. */
const ANSWERS = new Set(['P2002', 'P2025']);

/**
 * Deadlock and serialisation failure: PostgreSQL has taken the statement back and asks for it again. That is safe
 * because every operation is one statement or one whole transaction, with nothing of ours before it.
 */
const LOST_THE_RACE = new Set(['40P01', '40001', 'P2034']);
const MAX_TRIES = 3;

/**
 * A lock of somebody else must not hold a request for ever. The server's limit is a little shorter than ours
 * (database-pool.ts), so that a slow statement is ended and rolled back by the server: ours is for a server that is
 * silent. A transaction that a silent connection has left in the middle gives its locks back. The session's
 * time zone is UTC because the adapter sends dates without an offset.
 */
const SESSION =
  '-c TimeZone=UTC -c lock_timeout=2000 -c statement_timeout=2500 -c idle_in_transaction_session_timeout=5000';

/**
 * Every statement finds its rows by an index, and joins few of them to others: the planner is left no other way. Else a table
 * that is small, or has no statistics yet, would be read as a whole, and a plan that is kept would do so however that
 * table grows; and of the rows of a JSON value the planner knows nothing. No plan is worth compiling.
 */
const PLANS =
  '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c random_page_cost=1.1 -c jit=off';

/**
 * A statement that PostgreSQL parses and plans once for each connection. The plan stays as long as that, however the tables
 * grow meanwhile.
 */
export type Statement = { name: string; text: string };

/** One plan for any values. */
const KEPT_PLANS = '-c plan_cache_mode=force_generic_plan';
/** A connection and its plans are replaced after this: a plan that was made when a table was new is soon made anew. */
const PLANS_LIVE_SECONDS = 60;
/** Of prepared statements: calls that come at the same time are one statement, so that few are under way. */
const PREPARED_CONNECTIONS = 4;

/**
 * Opens two pools; each connects with its first query.
 * @param poolSize connections for everything else
 */
export function openDatabase(databaseUrl: string, poolSize = 6) {
  const pool = new LimitedPool({
    connectionString: databaseUrl,
    options: `${SESSION} ${PLANS}`,
    max: poolSize,
    application_name: 'merchant',
  });
  const preparedPool = new LimitedPool({
    connectionString: databaseUrl,
    options: `${SESSION} ${PLANS} ${KEPT_PLANS}`,
    max: PREPARED_CONNECTIONS,
    maxLifetimeSeconds: PLANS_LIVE_SECONDS,
    application_name: 'merchant',
  });
  preparedPool.shareWith(pool);
  // A connection that breaks while nobody uses it is forgotten; the next statement takes another.
  preparedPool.on('error', () => undefined);
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  const client = new PrismaClient({ adapter, errorFormat: 'minimal', log: [] });
  return client.$extends({
    query: {
      $allOperations: ({ args, query }) => untilDecided(() => query(args)),
    },
    client: {
      /** For the way of a notification, where Prisma's own work would cost more than the statement. */
      $prepared<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
        return untilDecided(async () => {
          const { rows } = await preparedPool.query({ ...statement, values: [...values] });
          return rows as Row[];
        });
      },
      /**
       * All statements of `work` or none, on one snapshot. It runs again as a whole where PostgreSQL has rolled it back:
       * `$transaction` would repeat the single statement, in a transaction that has failed already.
       */
      $onOneSnapshot<Result>(work: (run: Transaction) => Promise<Result>): Promise<Result> {
        return untilDecided(() => client.$transaction(work, { isolationLevel: 'RepeatableRead' }));
      },
      async $disconnect(): Promise<void> {
        await Promise.all([client.$disconnect(), preparedPool.end()]);
      },
    },
  });
}

async function untilDecided<Result>(execute: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await execute();
    } catch (error) {
      const reduced = withoutValues(error);
      const again = reduced instanceof DatabaseError && LOST_THE_RACE.has(reduced.code) && tries < MAX_TRIES;
      if (!again) throw reduced;
    }
  }
}

function withoutValues(error: unknown): unknown {
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    if (ANSWERS.has(error.code)) return error;
    const original = error.meta?.['driverAdapterError'] as { cause?: { originalCode?: string } } | undefined;
    return new DatabaseError(original?.cause?.originalCode ?? error.code);
  }
  const { name, code } = error as { name?: string; code?: string };
  return new DatabaseError(code ?? name ?? 'unknown');
}
