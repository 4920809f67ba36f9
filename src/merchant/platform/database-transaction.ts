// SQL statements on connections of the Prisma client's own pool: a transaction, or a single statement. Prisma's
// `$transaction` and `$queryRaw` do the same, but with their overhead a notification would take more than a tenth more
// CPU (`npm run bench -- quick`: the transaction at 64 connections, the single statement at one).

import { types, type Pool } from 'pg';
import { Prisma } from '../../generated/prisma/client';

export type NameOf = (sql: string) => string | undefined;

/** The methods that a transaction sends statements with. Prisma's transaction client has both as well. */
export type Statements = {
  $queryRaw<Rows>(text: TemplateStringsArray, ...values: unknown[]): Promise<Rows>;
  /** Returns the number of rows changed. */
  $executeRaw(text: TemplateStringsArray, ...values: unknown[]): Promise<number>;
};

export type OpenTransaction = Statements & {
  /**
   * Send it with the last statements, without awaiting them. Nothing is committed if one of them fails: neither if
   * PostgreSQL refuses it, nor if its values cannot be built.
   */
  $commit(): Promise<void>;
};

const BEGIN = { text: '/* begin */ begin', values: [] };
const COMMIT = { text: '/* commit */ commit', values: [] };

/**
 * Statements that `work` does not await one by one are sent together and executed in order. If one fails, those after
 * it fail too.
 * @param nameOf returns the name of a prepared statement, or undefined if the pool cannot keep prepared statements
 * @param work ends with the commit
 * @throws what `work` throws, after a rollback
 */
export async function inTransaction<Result>(
  pool: Pool,
  nameOf: NameOf,
  work: (run: OpenTransaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  // The statement in progress fails too, and its caller gets the error.
  const ignore = () => undefined;
  client.on('error', ignore);
  const release = (failed?: Error) => {
    client.off('error', ignore);
    client.release(failed);
  };
  let isCommitted = false;
  let hasFailed = false;
  const send = (sql: { text: string; values: unknown[] }) => client.query(toQuery(nameOf, sql));
  try {
    // Not awaited, so that it is sent together with the first statement.
    const begun = send(BEGIN);
    begun.catch(ignore);
    const sendInside = (text: TemplateStringsArray, values: readonly unknown[]) => {
      if (isCommitted) throw new Error('a statement came after the commit');
      return send(Prisma.sql(text, ...values));
    };
    const result = await work({
      $queryRaw: async <Rows>(text: TemplateStringsArray, ...values: unknown[]) =>
        (await sendInside(text, values)).rows as Rows,
      $executeRaw: async (text, ...values) => (await sendInside(text, values)).rowCount ?? 0,
      $commit: async () => {
        isCommitted = true;
        // An error thrown before its statement was sent has made `work` fail by the next tick.
        await new Promise<void>((resolve) => process.nextTick(resolve));
        if (!hasFailed) await send(COMMIT);
      },
    });
    if (!isCommitted) throw new Error('the transaction was not committed');
    release();
    return result;
  } catch (error) {
    hasFailed = true;
    await client.query('rollback').then(() => release(), release);
    throw error;
  }
}

/**
 * One statement without a transaction, sent as those of a transaction are.
 * @throws what the driver throws
 */
export async function runStatement<Rows>(
  pool: Pool,
  nameOf: NameOf,
  text: TemplateStringsArray,
  values: readonly unknown[],
): Promise<Rows> {
  return (await pool.query(toQuery(nameOf, Prisma.sql(text, ...values)))).rows as Rows;
}

function toQuery(nameOf: NameOf, { text, values }: { text: string; values: unknown[] }) {
  const name = nameOf(text);
  return { text, values, types: PARSERS, ...(name !== undefined && { name }) };
}

/**
 * A frequent statement begins with a comment that names it. PostgreSQL then prepares it once per connection. Its text
 * must not depend on its values.
 */
export function statementName(sql: string): string | undefined {
  return /^\s*\/\* ([\w-]+) \*\//.exec(sql)?.[1];
}

/** As Prisma reads values: int8 becomes a bigint. */
const PARSERS = {
  getTypeParser: ((oid: number, format?: 'text'): unknown =>
    oid === Number(types.builtins.INT8)
      ? BigInt
      : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};
