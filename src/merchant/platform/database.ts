// The connection to PostgreSQL through Prisma. Every driver error leaves this file as a DatabaseError with a code,
// because Prisma's own messages show argument values.

import { PrismaPg } from '@prisma/adapter-pg';
import { Prisma, PrismaClient } from '../../generated/prisma/client';
import { connectCode, LimitedPool } from './database-pool';
import { connectionTo } from './database-session';
import {
  inTransaction,
  runStatement,
  statementName,
  type CommitWith,
  type Statements,
} from './database-transaction';
import { DatabaseError, UNIQUE_VIOLATION } from './errors';

export type Database = ReturnType<typeof openDatabase>;
/** The client within a transaction. */
export type Transaction = Prisma.TransactionClient;

/**
 * Deadlock and serialisation failure: PostgreSQL has rolled back and expects a retry. A retry is safe because every
 * operation is one statement or one whole transaction.
 */
const RETRYABLE_SQLSTATES = new Set(['40P01', '40001', 'P2034']);
const MAX_TRIES = 3;

/**
 * The pool replaces a connection, with its cached plans, after this time: a plan made when a table was small would go
 * on scanning all of it. PostgreSQL replans after it has analysed the table, which it does a minute late.
 */
const LIFETIME_OF_CONNECTION_S = 60;

/**
 * Opens the pool, which connects with the first query.
 * @param options `isPooled`: the address is that of a connection pooler, where the next transaction may run in another
 * PostgreSQL session. Statements are then not prepared, and the settings of the session come from the role
 * (deploy/postgres-roles.sql)
 */
export function openDatabase(databaseUrl: string, { connections = 10, isPooled = false } = {}) {
  const nameOf = isPooled ? () => undefined : statementName;
  const pool = new LimitedPool({
    ...connectionTo(databaseUrl, { kind: isPooled ? 'pooled' : 'server' }),
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
      $statements<Result>(
        work: (run: Statements, commitWith: CommitWith) => Promise<Result>,
      ): Promise<Result> {
        return retryOnConflict(() => inTransaction(pool, nameOf, work));
      },
      /** The same for one statement. */
      $statement<Rows>(text: TemplateStringsArray, ...values: unknown[]): Promise<Rows> {
        return retryOnConflict(() => runStatement<Rows>(pool, nameOf, text, values));
      },
    },
  });
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
    if (error.code === 'P2002') return new DatabaseError(UNIQUE_VIOLATION);
    const original = error.meta?.['driverAdapterError'] as { cause?: { originalCode?: string } } | undefined;
    return new DatabaseError(original?.cause?.originalCode ?? error.code);
  }
  const { name, code, message = '' } = error as { name?: string; code?: string; message?: string };
  // The pool's own error when it has waited too long.
  const isPools = code === undefined && /timeout exceeded|connection timeout/.test(message);
  return new DatabaseError(isPools ? connectCode(error) : (code ?? name ?? 'unknown'));
}
