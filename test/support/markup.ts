// Markup in every text that the database holds. Every page escapes it.

import type { Answer } from './browsers';
import type { Rows } from './rows';

/** No template has this element. A text of one character is too short for it. */
export const MARKUP = `<u a="'&`;
const SHORTEST = '<u ';

/** Columns that name rows, prove something, or hold words of closed sets: none of them can be a text of somebody else. */
const NOT_TEXT =
  /(_uid|_id|^id|hash|^stream|^target|^line|^key|^type|^action|^outcome|^currency|^end_reason|^scopes|^recovery_codes|opened_with|form_nonce|totp_secret|source_address|decided_by)$/;
/** The audit log refuses changes: its rows are written by what a test does. */
const NOT_FILLED = ['operator_actions', 'card_limits', '_merchant_migrations'];

/** Puts markup into every text column of every row. Returns their number. */
export async function fillWithMarkup({ query }: Rows): Promise<number> {
  const columns = await query<{ table: string; column: string; length: number | null }>(
    `select table_name as table, column_name as column, character_maximum_length as length
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all($1)
       and data_type in ('character varying', 'character', 'text')`,
    [NOT_FILLED],
  );
  const texts = columns.filter(
    ({ table, column, length }) =>
      !NOT_TEXT.test(column) &&
      !(table === 'operators' && column === 'name') &&
      (length ?? 99) >= SHORTEST.length,
  );
  for (const { table, column, length } of texts)
    await query(`update ${table} set ${column} = left($1, ${length ?? MARKUP.length})`, [MARKUP]);
  await query(`update payments set record = record || $1`, [
    JSON.stringify({ name: MARKUP, buyer_name: MARKUP, cancel_reason: MARKUP }),
  ]);
  await query(`update events set data = data || $1`, [JSON.stringify({ card_name: MARKUP, reason: MARKUP })]);
  return texts.length;
}

/** How often a page shows markup. Fails if it is not escaped, or is no page. */
export function escapedIn(path: string, { status, html, headers }: Answer, expected = 200): number {
  const type = headers.get('content-type');
  expect([path, status, type]).toEqual([path, expected, 'text/html; charset=utf-8']);
  expect([path, html.includes(SHORTEST)]).toEqual([path, false]);
  return html.split('&lt;u ').length - 1;
}
