// SQL statements on connections of the Prisma client's own pool: a transaction, or a single statement. Prisma's
// `$transaction` and `$queryRaw` do the same, but with their overhead a notification would take more than a tenth more
// CPU (measured: the transaction at 64 connections, the single statement at one).

import { types, type Pool } from 'pg';
import { Prisma } from '../../generated/prisma/client';
import { DatabaseError } from './errors';

export type NameOf = (sql: string) => string | undefined;

/** The methods that a transaction sends statements with. Prisma's transaction client has both as well. */
export type Statements = {
  $queryRaw<Rows>(text: TemplateStringsArray, ...values: unknown[]): Promise<Rows>;
  /** Returns the number of rows changed. */
  $executeRaw(text: TemplateStringsArray, ...values: unknown[]): Promise<number>;
};

/**
 * Sends the last statements of a transaction, which do not depend on each other, together with the commit. They are executed
 * in order; null is left out. If one fails, nothing is committed.
 * @returns the rows of each
 */
export type CommitWith = (...last: readonly (Prisma.Sql | null)[]) => Promise<unknown[][]>;

const BEGIN = { text: '/* begin */ begin', values: [] };
const COMMIT = { text: '/* commit */ commit', values: [] };

/**
 * Each time that a transaction waits for an answer takes CPU in both processes, so the commit goes out with the last
 * statements.
 * @param work ends with `commitWith`
 * @param nameOf returns the name of a prepared statement, or undefined if the pool cannot keep prepared statements
 * @throws what `work` throws, after a rollback; DatabaseError `NOT_COMMITTED` if `work` did not commit, or PostgreSQL rolled back
 */
export async function inTransaction<Result>(
  pool: Pool,
  nameOf: NameOf,
  work: (run: Statements, commitWith: CommitWith) => Promise<Result>,
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
    const run: Statements = {
      $queryRaw: async <Rows>(text: TemplateStringsArray, ...values: unknown[]) =>
        (await send(Prisma.sql(text, ...values))).rows as Rows,
      $executeRaw: async (text, ...values) => (await send(Prisma.sql(text, ...values))).rowCount ?? 0,
    };
    let isCommitted = false;
    const result = await work(run, async (...last) => {
      const sent = last.map((sql) => sql && send(sql));
      const [committed, , ...answers] = await Promise.all([send(COMMIT), begun, ...sent]);
      // If an earlier statement has failed, PostgreSQL answers `ROLLBACK`.
      isCommitted = committed.command === 'COMMIT';
      return answers.map((answer) => (answer?.rows ?? []) as unknown[]);
    });
    if (!isCommitted) throw new DatabaseError('NOT_COMMITTED');
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
