// PostgreSQL refuses to write certain rows, as a database of another encoding, a constraint of its owner or a full disk does.

import type { World } from './world';

/** A value that can never be stored. */
const UNTRANSLATABLE_CHARACTER = '22P05';
export const DISK_FULL = '53100';

/**
 * @param condition on `new`, the row as it would be written
 * @returns what allows these rows again
 */
export async function refuseRows(
  { rows }: Pick<World, 'rows'>,
  table: string,
  condition: string,
  sqlState = UNTRANSLATABLE_CHARACTER,
): Promise<() => Promise<unknown>> {
  await rows.query(`create or replace function refuse_${table}() returns trigger language plpgsql as
    $$ begin if ${condition} then raise exception 'refused' using errcode = '${sqlState}'; end if; return new; end $$`);
  await rows.query(
    `create trigger refuse before insert or update on ${table} for each row execute function refuse_${table}()`,
  );
  return () => rows.query(`drop trigger refuse on ${table}`);
}
