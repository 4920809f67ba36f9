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

const BEGIN = { text: '/* begin */ begin', values: [] };
const COMMIT = { text: '/* commit */ commit', values: [] };

/**
 * Commits when `work` has ended. Statements that do not depend on each other may be sent together, by `Promise.all`: they
 * are executed in order, and if one fails, nothing is committed.
 * @param nameOf returns the name of a prepared statement, or undefined if the pool cannot keep prepared statements
 * @throws what `work` throws, after a rollback
 */
export async function inTransaction<Result>(
  pool: Pool,
  nameOf: NameOf,
  work: (run: Statements) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  // The statement in progress fails too, and its caller gets the error.
  const ignore = () => undefined;
  client.on('error', ignore);
  const release = (failed?: Error) => {
    client.off('error', ignore);
    client.release(failed);
  };
  const send = (sql: { text: string; values: unknown[] }) => client.query(toQuery(nameOf, sql));
  try {
    // Not awaited, so that it is sent together with the first statement.
    const begun = send(BEGIN);
    begun.catch(ignore);
    const result = await work({
      $queryRaw: async <Rows>(text: TemplateStringsArray, ...values: unknown[]) =>
        (await send(Prisma.sql(text, ...values))).rows as Rows,
      $executeRaw: async (text, ...values) => (await send(Prisma.sql(text, ...values))).rowCount ?? 0,
    });
    await begun;
    await send(COMMIT);
    release();
    return result;
  } catch (error) {
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
