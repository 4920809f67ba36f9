// Reads the gauges of all features, and has what their statements share.

import { Prisma } from '../../generated/prisma/client';
import type { Context, GaugeColumns } from './context';

/** By name, and by the value of the label; under '' where there is none. */
export type Figures = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Counting stops here, so that a large backlog costs no more than some hundredth of a second. */
export const COUNTED_AT_MOST = 100_000;

/** For the text of a gauge. */
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

/** How many rows there are, counted up to COUNTED_AT_MOST. @param rows such as `from notifications where …` */
export function countOf(rows: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(select count(*)::int from (select ${rows} limit ${COUNTED_AT_MOST}) counted)`;
}

/**
 * Seconds since a time; 0 where there is none, and where the clock of a host was set back.
 * @param since a select of one time
 */
export function ageOf(since: Prisma.Sql, now: Date): Prisma.Sql {
  return Prisma.sql`greatest(0, extract(epoch from ${now}::timestamptz - (${since})))::float8`;
}
