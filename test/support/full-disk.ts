// A disk of the database that is full.

import type { World } from './world';

/** Makes every insert and update of a table fail as with a full disk (53100). */
export async function fillDisk({ rows }: World, which: string): Promise<void> {
  await rows.query(`create or replace function refuse_for_space() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`);
  await rows.query(`do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' and tablename like '${which}' loop
      execute format('create trigger full_disk before insert or update on %I execute function refuse_for_space()', name);
    end loop; end $$`);
}
/** Sorted, because triggers change the order of the tables. */
export const sortedRows = async ({ rows }: World) => (await rows.books()).split('\n').sort();

export const makeRoom = ({ rows }: World) => rows.query('drop function refuse_for_space cascade');
