// A transaction of SQL statements, on a connection of the Prisma client's own pool. Prisma's interactive transaction does the
// same with models; for the verdicts of notifications its own work would add more than a tenth to what one costs
// (`npm run bench -- quick`), which this file saves.

import { types, type Pool } from 'pg';
import { Prisma } from '../../generated/prisma/client';

export type NameOf = (sql: string) => string | undefined;

/** What the statements of a transaction are sent with: Prisma's transaction client has both methods as well. */
export type Statements = {
  $queryRaw<Rows>(text: TemplateStringsArray, ...values: unknown[]): Promise<Rows>;
  /** Returns how many rows were changed. */
  $executeRaw(text: TemplateStringsArray, ...values: unknown[]): Promise<number>;
};

export type OpenTransaction = Statements & {
  /** To be sent with the last statements, without waiting for them: if one has failed, PostgreSQL rolls back instead. */
  $commit(): Promise<void>;
};

const BEGIN = '/* begin */ begin';
const COMMIT = '/* commit */ commit';

/**
 * Statements that `work` does not wait for one by one are sent together, and executed in their order. Where one fails, those
 * behind it fail as well.
 * @param nameOf gives a statement its name, or none where the pool cannot keep any
 * @param work ends with the commit
 * @throws what `work` throws, after a rollback
 */
export async function inTransaction<Result>(
  pool: Pool,
  nameOf: NameOf,
  work: (run: OpenTransaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  // The statement that is under way fails as well, and says so to its caller.
  const ignore = () => undefined;
  client.on('error', ignore);
  const release = (failed?: Error) => {
    client.off('error', ignore);
    client.release(failed);
  };
  let isCommitted = false;
  const named = (text: string, values: unknown[] = []) => {
    const name = nameOf(text);
    return { text, values, types: PARSERS, ...(name !== undefined && { name }) };
  };
  try {
    // It is not waited for, so that it is sent together with the first statement.
    const begun = client.query(named(BEGIN));
    begun.catch(ignore);
    const sendInside = (text: TemplateStringsArray, values: readonly unknown[]) => {
      if (isCommitted) throw new Error('a statement came after the commit');
      const sql = Prisma.sql(text, ...values);
      return client.query(named(sql.text, sql.values));
    };
    const result = await work({
      $queryRaw: async <Rows>(text: TemplateStringsArray, ...values: unknown[]) =>
        (await sendInside(text, values)).rows as Rows,
      $executeRaw: async (text, ...values) => (await sendInside(text, values)).rowCount ?? 0,
      $commit: async () => {
        isCommitted = true;
        await client.query(named(COMMIT));
      },
    });
    if (!isCommitted) throw new Error('the transaction was not committed');
    release();
    return result;
  } catch (error) {
    await client.query('rollback').then(() => release(), release);
    throw error;
  }
}

/**
 * A statement that is sent often begins with a comment that names it: PostgreSQL then parses and plans it once for each
 * connection. Its text must not depend on its values.
 */
export function statementName(sql: string): string | undefined {
  return /^\s*\/\* ([\w-]+) \*\//.exec(sql)?.[1];
}

/** As Prisma reads them: a bigint is one. */
const PARSERS = {
  getTypeParser: ((oid: number, format?: 'text'): unknown =>
    oid === Number(types.builtins.INT8)
      ? BigInt
      : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};
