// Reads the gauges of all features. Also has the SQL that their statements share.

import { Prisma } from '../../generated/prisma/client';
import type { Context, GaugeColumns } from './context';

/** By gauge name, then by label value; '' if the gauge has no label. */
export type Figures = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Counting stops here, so that a large backlog costs no more than a few hundredths of a second. */
export const COUNTED_AT_MOST = 100_000;

/** For a gauge's help text. */
export const AT_MOST = `Counted up to ${COUNTED_AT_MOST}.`;

/** @throws DatabaseError */
export async function readFigures(context: Context): Promise<Figures> {
  const { database, clock } = context;
  const now = clock.now();
  const all = context.features.flatMap(({ gauges = [] }) => gauges);
  const [, ...read] = (await database.$transaction([
    database.$queryRaw`select set_config('statement_timeout', '2000', true)`,
    ...all.map((gauges) => gauges.read(context, now)),
  ])) as [unknown, ...[GaugeColumns][]];
  const columns = new Map(read.flat().flatMap((row) => Object.entries(row)));
  const rows = all.flatMap((gauges) => Object.entries(gauges.rows));
  return Object.fromEntries(
    rows.map(([name, { label }]) => [name, toFigures(columns.get(name), label?.values)]),
  );
}

function toFigures(
  column: GaugeColumns[string] = {},
  values: readonly string[] = [''],
): Record<string, number> {
  const byValue = typeof column === 'number' ? { '': column } : column;
  return Object.fromEntries(values.map((value) => [value, byValue[value] ?? 0]));
}

/** The number of rows, counted up to COUNTED_AT_MOST. @param rows such as `from notifications where …` */
export function countOf(rows: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(select count(*)::int from (select ${rows} limit ${COUNTED_AT_MOST}) counted)`;
}

/**
 * Seconds since a time; 0 if there is none, or if a host's clock was set back.
 * @param since a select of one time
 */
export function ageOf(since: Prisma.Sql, now: Date): Prisma.Sql {
  return Prisma.sql`greatest(0, extract(epoch from ${now}::timestamptz - (${since})))::float8`;
}
