// Reads the rows of a database, and checks that they do not change.

import { Client, Pool } from 'pg';
import { eventually } from './eventually';
import type { SandboxControls } from './sandbox-controls';

export type Rows = ReturnType<typeof openRows>;

/** The name of these connections in `pg_stat_activity`, to distinguish them from the merchant's. */
export const ROWS_CONNECTION = 'rows';

export function openRows(databaseUrl: string) {
  const pool = new Pool({ connectionString: databaseUrl, max: 2, application_name: ROWS_CONNECTION });
  // A test may make the database unreachable.
  pool.on('error', () => undefined);
  const query = async <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    (await pool.query(sql, values)).rows as Row[];
  const table = async (name: string, order: string): Promise<string> =>
    (await query<{ line: string }>(`select t::text as line from ${name} t order by ${order}`))
      .map(({ line }) => `${name} ${line}`)
      .join('\n');
  const tables = async (which: string): Promise<string> => {
    const names = await query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where ${which} order by 1`,
    );
    const rowsOf = names.map(({ name }) => `select '${name}' as name, t::text as line from ${name} t`);
    // In one statement, because there are some forty tables.
    const all = await query<{ name: string; line: string }>(
      `${rowsOf.join(' union all ')} order by name, line`,
    );
    return all.map(({ name, line }) => `${name} ${line}`).join('\n');
  };
  return {
    query,
    /** Waits until a query returns rows. */
    waitFor: (sql: string, values?: unknown[]) =>
      eventually(async () => (await query(sql, values)).length > 0),
    /** Orders and payments as text: equal dumps mean that nothing has changed. */
    money: async () => `${await table('orders', 'merchant_uid')}\n${await table('payments', 'svc_uid')}`,
    /** All rows of our own tables as text, for the same purpose. Jobs are left out, because they are enqueued after the answer. */
    books: () => tables("schemaname = 'public'"),
    /** The same with the queue of the job engine, to search for values that must not appear. */
    dump: () => tables("schemaname not in ('pg_catalog', 'information_schema')"),
    close: () => pool.end(),
  };
}

/** One statement on a connection of its own. */
export async function queryOnce<Row = Record<string, unknown>>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Runs an action that must have no effect, and returns its result. */
export async function expectNoEffect<T>(
  { rows, sandbox }: { rows: Rows; sandbox: SandboxControls },
  act: () => Promise<T>,
): Promise<T> {
  const before = { rows: await dump(), calls: await sandbox.allRequests() };
  const result = await act();
  expect(await dump()).toBe(before.rows);
  expect(await sandbox.allRequests()).toBe(before.calls);
  return result;

  /**
   * Leaves out the delivery job, which may still be enqueued after an earlier answer, the counts of attempts, which hold no data
   * of a request, and the audit log, which has refused actions too.
   */
  async function dump(): Promise<string> {
    const lines = (await rows.dump()).split('\n');
    return lines
      .filter(
        (line) =>
          line !== '' &&
          !/^(graphile_worker\..*deliver-events|public\.(card_limits|operator_actions) )/.test(line),
      )
      .join('\n');
  }
}
