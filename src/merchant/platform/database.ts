// The connection to PostgreSQL through Prisma. Every driver error leaves this file as a DatabaseError with a code,
// because Prisma's own messages show argument values.

import { PrismaPg } from '@prisma/adapter-pg';
import type { ClientBase } from 'pg';
import { Prisma, PrismaClient } from '../../generated/prisma/client';
import { LimitedPool } from './database-pool';
import { inTransaction, runStatement, statementName, type OpenTransaction } from './database-transaction';
import { DatabaseError } from './errors';

export type Database = ReturnType<typeof openDatabase>;
/** The client within a transaction. */
export type Transaction = Prisma.TransactionClient;

/** Error codes that callers handle: unique violation, row not found. */
const ANSWERS = new Set(['P2002', 'P2025']);

/**
 * Deadlock and serialisation failure: PostgreSQL has rolled back and expects a retry. A retry is safe because every
 * operation is one statement or one whole transaction.
 */
const RETRYABLE_SQLSTATES = new Set(['40P01', '40001', 'P2034']);
const MAX_TRIES = 3;

/**
 * A lock held elsewhere must not block a request for ever. The server's timeout is shorter than ours
 * (database-pool.ts), so that the server ends and rolls back a slow statement; ours is for a server that is silent. An
 * idle transaction releases its locks. The time zone is UTC because the adapter sends dates without an offset.
 * `random_page_cost` is PostgreSQL's advice for solid-state disks, so that a batch finds its rows by index and does not
 * scan the table.
 */
const SESSION =
  '-c TimeZone=UTC -c random_page_cost=1.1 -c lock_timeout=2000 -c statement_timeout=2500 -c idle_in_transaction_session_timeout=5000';

/**
 * The pool replaces a connection, with its cached plans, after this time: a plan made when a table was small would go
 * on scanning all of it. PostgreSQL replans after it has analysed the table, which it does a minute late.
 */
const LIFETIME_OF_CONNECTION_S = 60;

/**
 * Opens the pool, which connects with the first query.
 * @param options `isPooled`: the address is that of a connection pooler, where the next transaction may run in another
 * PostgreSQL session. Statements are then not prepared, and the settings of `SESSION` come from the role
 * (deploy/postgres-roles.sql)
 */
export function openDatabase(databaseUrl: string, { connections = 10, isPooled = false } = {}) {
  const nameOf = isPooled ? () => undefined : statementName;
  const pool = new LimitedPool({
    connectionString: databaseUrl,
    // The pool awaits it, although its type does not say so.
    // eslint-disable-next-line @typescript-eslint/no-misused-promises
    ...(isPooled ? { onConnect: requireUtc } : { options: SESSION }),
    max: connections,
    maxLifetimeSeconds: LIFETIME_OF_CONNECTION_S,
    // Sends statements that do not wait for each other together (database-transaction.ts).
    pipeline: true,
    application_name: 'merchant',
  });
  const adapter = new PrismaPg(pool, {
    // Undefined means no name, although the type does not allow it.
    statementNameGenerator: ({ sql }) => nameOf(sql) as string,
  });
  const client = new PrismaClient({ adapter, errorFormat: 'minimal', log: [] });
  return client.$extends({
    query: {
      $allOperations: ({ args, query }) => retryOnConflict(() => query(args)),
    },
    client: {
      /** Closes the pool as well: Prisma closes it only if it has sent a statement over it. */
      async $disconnect(): Promise<void> {
        await client.$disconnect();
        await pool.end();
      },
      /**
       * Executes all statements of `work` or none, and runs `work` again if PostgreSQL has rolled it back.
       * `$transaction` would repeat only the single statement, in a transaction that has already failed.
       * @param isolationLevel `RepeatableRead`: all statements see the database as it was at the first one
       */
      $atomically<Result>(
        work: (run: Transaction) => Promise<Result>,
        isolationLevel?: 'RepeatableRead',
      ): Promise<Result> {
        return retryOnConflict(() => client.$transaction(work, isolationLevel && { isolationLevel }));
      },
      /** The same for SQL only, without Prisma's overhead. */
      $statements<Result>(work: (run: OpenTransaction) => Promise<Result>): Promise<Result> {
        return retryOnConflict(() => inTransaction(pool, nameOf, work));
      },
      /** The same for one statement. */
      $statement<Rows>(text: TemplateStringsArray, ...values: unknown[]): Promise<Rows> {
        return retryOnConflict(() => runStatement<Rows>(pool, nameOf, text, values));
      },
    },
  });
}

/** Dates are sent without an offset: in another time zone, each would be stored hours off. */
async function requireUtc(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ TimeZone: string }>('show timezone');
  if (rows[0]?.TimeZone !== 'UTC') throw new DatabaseError('TIME_ZONE_IS_NOT_UTC');
}

async function retryOnConflict<Result>(execute: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await execute();
    } catch (error) {
      const reduced = withoutValues(error);
      const again =
        reduced instanceof DatabaseError && RETRYABLE_SQLSTATES.has(reduced.code) && tries < MAX_TRIES;
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
