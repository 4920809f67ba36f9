// Fills a database with data of several years, and builds its indexes afterwards, as a restored backup does.

import type { Client } from 'pg';
import { BOOK_TABLES, writeOldBooks, type BookSizes } from './old-books';

/** Build time and size of an index. */
export type BuiltIndex = { name: string; seconds: number; megabytes: number };

const SECONDARY = `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
  from pg_index i join pg_class t on t.oid = i.indrelid
  where t.relname = any($1::text[]) and not indisprimary and t.relnamespace = 'public'::regnamespace order by 1`;

export async function fillBooks(database: Client, sizes: BookSizes): Promise<BuiltIndex[]> {
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(SECONDARY, [
    BOOK_TABLES,
  ]);
  // Foreign keys are not checked: the rows are consistent.
  await database.query('set session_replication_role = replica; set synchronous_commit = off');
  for (const { name } of indexes) await database.query(`drop index ${name}`);
  let started = performance.now();
  await writeOldBooks(database, sizes, async (table, rows) => {
    process.stdout.write(`${table}: ${rows} rows in ${seconds(started).toFixed(0)} s\n`);
    // Deliveries are selected by the position of their event.
    if (table === 'events') await database.query('create index events_filled on events (position)');
    started = performance.now();
  });
  await database.query('drop index events_filled');
  await database.query('set session_replication_role = origin; set synchronous_commit = on');
  const built: BuiltIndex[] = [];
  for (const { name, definition } of indexes) {
    started = performance.now();
    await database.query(definition);
    const { rows } = await database.query<{ bytes: string }>('select pg_relation_size($1) as bytes', [name]);
    built.push({ name, seconds: seconds(started), megabytes: Number(rows[0]?.bytes) / 1_048_576 });
  }
  started = performance.now();
  await database.query('vacuum analyze');
  await database.query('checkpoint');
  process.stdout.write(`vacuum, analyze, checkpoint: ${seconds(started).toFixed(0)} s\n`);
  return built;
}

const seconds = (started: number) => (performance.now() - started) / 1_000;
