// Reads rows past the merchant's own code, as `test/support/rows.ts` does. Thousands of stories ask the same few questions, so
// that each statement is planned once.

import { Client } from 'pg';

export type PreparedRows = Awaited<ReturnType<typeof openPreparedRows>>;

/** Rows that were deleted are cleared away after so many stories: else every statement meets them. */
const STORIES_UNTIL_VACUUM = 50;

export async function openPreparedRows(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ deletes: string; dump: string }>(TABLES);
  const { deletes = '', dump = '' } = tables[0] ?? {};
  await client.query('set session_replication_role = replica');
  await client.query(
    `create function pg_temp.empty_tables() returns void language plpgsql as $$ begin ${deletes}; end $$`,
  );
  const names = new Map<string, string>();
  let emptied = 0;

  async function query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const name = names.get(text) ?? `statement-${names.size}`;
    names.set(text, name);
    return (await client.query({ name, text, values })).rows as Row[];
  }

  return {
    query,
    /** Every row of every table, as text. */
    dump: async () => (await query<{ text: string }>(dump))[0]?.text ?? '',
    /** Deleting from tables that are nearly empty costs less than truncating them. */
    async empty(): Promise<void> {
      if (emptied > 0 && emptied % STORIES_UNTIL_VACUUM === 0) await client.query('vacuum');
      emptied += 1;
      await query('select pg_temp.empty_tables()');
    },
    close: () => client.end(),
  };
}

/** Two texts over all tables: to delete each row, and to read each. */
const TABLES = `
  select string_agg(format('delete from %I', tablename), '; ') as deletes,
    'select concat_ws(E''\\n'', ' ||
      string_agg(format('(select string_agg(t::text, E''\\n'') from %I t)', tablename), ', ') ||
      ') as text' as dump
  from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations'`;
