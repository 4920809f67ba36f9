// Reads rows without the merchant's code, as `test/support/rows.ts` does, but with prepared statements, because thousands of
// stories use the same few.

import { Client } from 'pg';

/** A row as PostgreSQL writes it in JSON: times are texts, and numbers of eight bytes are numbers. */
export type Row = Record<string, unknown>;
export type AllRows = {
  /** The rows of one table. */
  of<Columns>(table: string): readonly Columns[];
  /** Every row of every table. */
  text: string;
};
export type PreparedRows = Awaited<ReturnType<typeof openPreparedRows>>;

/** Number of stories between vacuums; otherwise every statement would read the deleted rows. */
const STORIES_UNTIL_VACUUM = 50;

export async function openPreparedRows(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ names: string; deletes: string; all: string }>(TABLES);
  const { names: tableNames = '', deletes = '', all = '' } = tables[0] ?? {};
  await client.query('set session_replication_role = replica');
  await client.query(
    `create function pg_temp.empty_tables() returns void language plpgsql as $$ begin ${deletes}; end $$`,
  );
  const names = new Map<string, string>();
  let emptied = 0;

  async function query<Found>(text: string, values: unknown[] = []): Promise<Found[]> {
    const name = names.get(text) ?? `statement-${names.size}`;
    names.set(text, name);
    return (await client.query({ name, text, values })).rows as Found[];
  }

  return {
    query,
    /** Reads everything in one statement, for a consistent snapshot. */
    async readAll(): Promise<AllRows> {
      const text = (await query<{ text: string }>(all))[0]?.text ?? '{}';
      const tablesByName = JSON.parse(text) as Record<string, Row[] | null>;
      return { text, of: <Columns>(table: string) => (tablesByName[table] ?? []) as readonly Columns[] };
    },
    /** Deletes all rows; this is faster than TRUNCATE for nearly empty tables. */
    async empty(): Promise<void> {
      if (emptied > 0 && emptied % STORIES_UNTIL_VACUUM === 0) await client.query(`vacuum ${tableNames}`);
      emptied += 1;
      await query('select pg_temp.empty_tables()');
    },
    close: () => client.end(),
  };
}

/** Reads the names of all tables, and statements to delete and to read all their rows. */
const TABLES = `
  select string_agg(format('%I', tablename), ', ') as names,
    string_agg(format('delete from %I', tablename), '; ') as deletes,
    'select json_build_object(' ||
      string_agg(format('%L, (select json_agg(t) from %I t)', tablename, tablename), ', ') ||
      ')::text as text' as all
  from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations'`;
