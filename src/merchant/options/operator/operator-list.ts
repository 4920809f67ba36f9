// What the lists of the operator pages have in common: filters that come from a form, columns, pages by cursor, and the same
// rows as CSV.

import { z } from 'zod';
import type { Context } from '../../platform/context';
import { parseRequest } from '../../platform/http/parse-request';
import type { ColumnName } from './foreign-words';
import { csvLine } from './formats';
import {
  toPage,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
  type Place,
} from './operator-page';
import type { OperatorTexts } from './texts.ko';

/** How a value is shown: `words` in those of the reader. In the CSV it stands as it is. */
export type ColumnKind =
  'text' | 'id' | 'status' | 'amount' | 'time' | 'order' | 'payment' | 'discrepancy' | 'event' | 'words';

export type Cell = {
  name: ColumnName;
  kind: ColumnKind;
  value: string | number | null;
  currency?: string | null;
  of?: string;
};
export type Column<Row> = {
  name: ColumnName;
  kind: ColumnKind;
  value(row: Row): string | number | null;
  /** Of an amount. */
  currency?(row: Row): string | null;
  /** Of what is compared: the kind of the discrepancy. */
  of?(row: Row): string;
};

export type Filter = {
  name: keyof OperatorTexts['operator']['filters'];
  kind: 'text' | 'choice' | 'flag' | 'day';
  choices?: readonly string[];
};

export type ListDefinition<Schema extends z.ZodObject, Row> = {
  place: Place;
  query: Schema;
  filters: readonly Filter[];
  columns: readonly Column<NoInfer<Row>>[];
  read(context: Context, query: z.output<Schema>): Promise<{ list: Row[]; next: string | null }>;
};

const ROWS_OF_A_PAGE = 50;
/** Of one statement, while a CSV is written. */
const ROWS_OF_A_READ = 500;

/** The two routes of a list: its page, and the whole of it as CSV. */
export function listRoutes<Schema extends z.ZodObject, Row>(
  definition: ListDefinition<Schema, Row>,
): OperatorRoute[] {
  const { place } = definition;
  return [
    {
      method: 'get',
      path: `/operator/${place}`,
      filters: Object.keys(definition.query.shape),
      back: () => `/operator/${place}`,
      handle: (context, request) => showList(context, definition, request),
    },
    {
      method: 'get',
      path: `/operator/${place}.csv`,
      back: () => `/operator/${place}`,
      handle: async (context, { query }) => {
        // A wrong filter is told before the file begins.
        parseFilters(definition, query, ROWS_OF_A_READ);
        return Promise.resolve({ kind: 'csv', name: place, lines: csvLines(context, definition, query) });
      },
    },
  ];
}

async function showList<Schema extends z.ZodObject, Row>(
  context: Context,
  definition: ListDefinition<Schema, Row>,
  { query }: OperatorRequest,
): Promise<OperatorAnswer> {
  const { place, filters, columns, read } = definition;
  const given = givenFilters(query);
  const { list, next } = await read(context, parseFilters(definition, query, ROWS_OF_A_PAGE));
  const { after, ...withoutCursor } = given;
  return toPage({
    template: 'list',
    title: ({ operator }) => operator.places[place],
    place,
    data: {
      filters: filters.map((filter) => ({ ...filter, value: given[filter.name] ?? '' })),
      columns: columns.map(({ name, kind }) => ({ name, kind })),
      rows: list.map((row) => toCells(columns, row)),
      isFiltered: Object.keys(withoutCursor).length > 0,
      isFirst: after === undefined,
      first: addressOf(`/operator/${place}`, withoutCursor),
      next: next === null ? null : addressOf(`/operator/${place}`, { ...withoutCursor, after: next }),
      csv: addressOf(`/operator/${place}.csv`, withoutCursor),
      // For a button in a row, which comes back to this page of the list.
      actionAddress: (path: string) => addressOf(path, given),
    },
  });
}

/** With a mark that tells spreadsheets that it is UTF-8. */
async function* csvLines<Schema extends z.ZodObject, Row>(
  context: Context,
  definition: ListDefinition<Schema, Row>,
  query: OperatorRequest['query'],
): AsyncGenerator<string> {
  const { columns, read } = definition;
  yield `\ufeff${csvLine(columns.map(({ name }) => name))}`;
  const filters = givenFilters(query);
  delete filters['after'];
  let after: string | null = null;
  do {
    const asked: Record<string, string> = { ...filters, ...(after !== null && { after }) };
    const { list, next } = await read(context, parseFilters(definition, asked, ROWS_OF_A_READ));
    if (list.length > 0)
      yield list.map((row) => csvLine(columns.map((column) => column.value(row)))).join('');
    after = next;
  } while (after !== null);
}

/** The cells of one row of a table. */
export function toCells<Row>(columns: readonly Column<Row>[], row: Row): Cell[] {
  return columns.map((column) => cellOf(column, row));
}

function cellOf<Row>({ name, kind, value, currency, of }: Column<Row>, row: Row): Cell {
  return {
    name,
    kind,
    value: value(row),
    ...(currency && { currency: currency(row) }),
    ...(of && { of: of(row) }),
  };
}

/** A form sends each of its fields, also those that nobody has filled in. Of several values the form sends the first. */
export function givenFilters(query: OperatorRequest['query']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const text = Array.isArray(value) ? (value[0] as unknown) : value;
      return typeof text === 'string' && text.trim() !== '' ? [[name, text.trim()]] : [];
    }),
  );
}

/** @throws HttpError 400 `invalid_request` */
function parseFilters<Schema extends z.ZodObject>(
  { query: schema }: Pick<ListDefinition<Schema, never>, 'query'>,
  query: OperatorRequest['query'],
  limit: number,
): z.output<Schema> {
  const { from, to, ...given } = givenFilters(query);
  return parseRequest(z.strictObject(schema.shape), {
    ...given,
    ...(from !== undefined && { from: dayEdge(from, '00:00:00.000') }),
    ...(to !== undefined && { to: dayEdge(to, '23:59:59.999') }),
    limit: String(limit),
  }) as z.output<Schema>;
}

/** A day of Seoul as the moment at its beginning or end. Anything else is refused as what it is. */
function dayEdge(day: string, time: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T${time}+09:00` : day;
}

/** A path with what of a query is there. */
export function addressOf(path: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}
