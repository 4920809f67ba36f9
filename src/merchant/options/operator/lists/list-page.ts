// Common parts of the lists of the operator pages: form filters, columns, cursor pages, and CSV export of the same
// rows.

import { z } from 'zod';
import { SEOUL_OFFSET } from '../../../platform/clock';
import type { Context } from '../../../platform/context';
import { parseRequest } from '../../../platform/http/body-fields';
import type { List, Page } from '../../../platform/http/list';
import { maskCardNumbers } from '../../../platform/http/mask-card-numbers';
import { flag } from '../../../platform/http/query';
import type { Column, ColumnKind } from '../../../platform/operator-records';
import { hrefOf } from '../frame/links';
import { toPage, type OperatorAnswer, type OperatorRequest, type OperatorRoute } from '../frame/page';
import type { Role } from '../frame/roles';
import { csvFile, csvTime, ROWS_OF_A_READ } from './csv';
import { COUNTED_ROWS, type Totals } from './store';

export type { Column };

export type Cell = {
  name: string;
  kind: ColumnKind;
  value: string | number | null;
  currency?: string | null;
  of?: string;
  /** The page of the thing that the value names; null if there is none. */
  href: string | null;
};

type Definition<Query extends z.ZodObject, Row, Filter> = {
  place: string;
  /** Who may see it; default: `view`. */
  role?: Role;
  list: List<Query, Row, Filter>;
  /** The column with the time that `from` and `to` filter. */
  time?: string;
  /** The filters that the page shows, in this order. */
  filters: readonly string[];
  columns: readonly Column<NoInfer<Row>>[];
  /** The path of a button in each row, which sends its event again. */
  replay?(row: NoInfer<Row>): string;
  /** Counts and adds up at most COUNTED_ROWS and one more row. Absent: only a list of one page is counted. */
  totals?(context: Context, filter: NoInfer<Filter>): Promise<Totals>;
};

const ROWS_OF_A_PAGE = 50;

/** The two routes of a list: its page, and all rows as CSV. */
export function listRoutes<Query extends z.ZodObject, Row, Filter>(
  definition: Definition<Query, Row, Filter>,
): OperatorRoute[] {
  const { place, role = 'view', list } = definition;
  return [
    {
      method: 'get',
      role,
      path: `/operator/${place}`,
      filters: Object.keys(list.query.shape),
      back: () => `/operator/${place}`,
      page: (_context, request) => Promise.resolve(listPage(definition, request, null)),
      handle: (context, request) => showList(context, definition, request),
    },
    {
      method: 'get',
      role,
      path: `/operator/${place}.csv`,
      back: () => `/operator/${place}`,
      handle: async (context, request) => {
        // Report a wrong filter before the file starts.
        parseFilters(list.query, request.query, ROWS_OF_A_READ);
        return Promise.resolve({ kind: 'csv', name: place, lines: csvLines(context, definition, request) });
      },
    },
  ];
}

async function showList<Query extends z.ZodObject, Row, Filter>(
  context: Context,
  definition: Definition<Query, Row, Filter>,
  request: OperatorRequest,
): Promise<OperatorAnswer> {
  const { list, totals } = definition;
  const asked = parseFilters(list.query, request.query, ROWS_OF_A_PAGE);
  // Async, because a refusal that is thrown while the other read runs would leave that one without a handler.
  const count = async () => (await totals?.(context, list.filterOf(asked))) ?? null;
  const [page, counted] = await Promise.all([list.read(context, asked), count()]);
  return listPage(definition, request, { page, counted });
}

/** @param read null after an error: the page then has its filters, and neither rows nor the text that there are none */
function listPage<Query extends z.ZodObject, Row>(
  { place, list, time, filters, columns, replay }: Definition<Query, Row, unknown>,
  { query }: Pick<OperatorRequest, 'query'>,
  read: { page: Page<Row>; counted: Totals | null } | null,
): OperatorAnswer {
  const given = repeatedFilters(list.query, query);
  const { list: rows, next } = read?.page ?? { list: [], next: null };
  const { after, ...withoutCursor } = given;
  const { sort, ...narrowing } = withoutCursor;
  const isWhole = after === undefined && next === null;
  const shown = shownIn(columns);
  return toPage({
    template: 'list',
    title: ({ operator }) => nameOf({ ...operator.subjects, ...operator.places }, place),
    place,
    data: {
      filters: filters
        .filter((name) => name !== 'status')
        .map((name) => ({
          name,
          ...controlOf(list.query, name),
          value: given[name] ?? '',
          time: time ?? null,
        })),
      status: given['status'] ?? null,
      tabs: filters.includes('status') ? tabsOf(list.query, place, withoutCursor) : null,
      columns: shown,
      rows: read && rows.map((row) => toCells(shown, row)),
      totals: read?.counted ?? (isWhole ? { count: rows.length, sums: [] } : null),
      mostCounted: COUNTED_ROWS,
      isFiltered: Object.keys(narrowing).length > 0,
      isSortedByAmount: sort === 'largest' || sort === 'smallest',
      isFirst: after === undefined,
      first: addressOf(`/operator/${place}`, withoutCursor),
      next: next === null ? null : addressOf(`/operator/${place}`, { ...withoutCursor, after: next }),
      csv: addressOf(`/operator/${place}.csv`, withoutCursor),
      // They return to this page of the list.
      replay: replay ? rows.map((row) => addressOf(replay(row), given)) : null,
    },
  });
}

/** The texts of options are merged into those of the operator pages, where their types do not name them. */
export function nameOf(names: Readonly<Record<string, string>>, name: string): string {
  return names[name] ?? name;
}

/** A link for each status, with the other filters. */
function tabsOf(query: z.ZodObject, place: string, { status: chosen, ...others }: Record<string, string>) {
  const { choices = [] } = controlOf(query, 'status');
  return [null, ...choices].map((status) => ({
    status,
    href: addressOf(`/operator/${place}`, status === null ? others : { ...others, status: String(status) }),
    isHere: status === (chosen ?? null),
  }));
}

/** The form control of a filter, and the values of an enum. */
function controlOf(
  { shape }: z.ZodObject,
  name: string,
): { kind: string; choices?: readonly (string | number)[] } {
  if (name === 'from' || name === 'to') return { kind: 'day' };
  const field: unknown = shape[name];
  const inner: unknown = field instanceof z.ZodOptional ? field.unwrap() : field;
  if (inner instanceof z.ZodEnum)
    return { kind: name === 'sort' ? 'sort' : 'choice', choices: inner.options };
  return { kind: inner === flag ? 'flag' : 'text' };
}

/** Headings are in the reader's language, times are those of Seoul, states are codes. */
function csvLines<Query extends z.ZodObject, Row>(
  context: Context,
  { columns, list }: Definition<Query, Row, unknown>,
  { query, words }: OperatorRequest,
): AsyncIterable<string> {
  // A file has no footer that names the time zone.
  const heads = columns.map(
    ({ name, kind }) => nameOf(words.operator.columns, name) + (kind === 'time' ? ' (KST)' : ''),
  );
  const filters = givenFilters(query);
  delete filters['after'];
  return csvFile(heads, async (after) => {
    const asked = { ...filters, ...(after !== null && { after }) };
    const page = await list.read(context, parseFilters(list.query, asked, ROWS_OF_A_READ));
    const rows = page.list.map((row) => columns.map(({ kind, value }) => csvValue(kind, value(row))));
    return { rows, next: page.next };
  });
}

function csvValue(kind: ColumnKind, value: string | number | null): string | number | null {
  return kind === 'time' && value !== null ? csvTime(value) : value;
}

/** The cells of a table row. */
export function toCells<Row>(columns: readonly Column<Row>[], row: Row): Cell[] {
  return columns.map((column) => cellOf(column, row));
}

function cellOf<Row>(column: Column<Row>, row: Row): Cell {
  const { name, kind, currency, of } = column;
  const value = column.value(row);
  return {
    name,
    kind,
    value,
    href: value === null ? null : hrefOf(kind, value, of?.(row)),
    ...(currency && { currency: currency.call(column, row) }),
    ...(of && { of: of.call(column, row) }),
  };
}

/** The data of `rows.eta`. */
export type Table = {
  /** The list of such rows, or a word of `groups`. */
  name: string;
  columns: readonly { name: string; kind: ColumnKind }[];
  rows: readonly Cell[][];
  /** The list that has all of them; null if this is all, or if no list has this filter. */
  more: string | null;
};

/**
 * Rows on a page that is no list, with the columns that fit in a table.
 * @param without the column that has the same value in all rows of the page
 */
export function tableOf<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { without, more = null }: { without?: string; more?: string | null } = {},
): Table {
  const shown = shownIn(columns).filter((column) => column.name !== without);
  return { name, columns: shown, rows: rows.map((row) => toCells(shown, row)), more };
}

function shownIn<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return columns.filter(({ isDetail = false }) => !isDetail);
}

/** Leaves out empty fields, which a form sends too. If a field has several values, the first one counts. */
export function givenFilters(query: OperatorRequest['query']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const text = Array.isArray(value) ? (value[0] as unknown) : value;
      return typeof text === 'string' && text.trim() !== '' ? [[name, text.trim()]] : [];
    }),
  );
}

/** What the page and its links repeat: the fields of the list. A card number, typed by mistake, is masked. */
function repeatedFilters({ shape }: z.ZodObject, query: OperatorRequest['query']): Record<string, string> {
  const known = Object.entries(givenFilters(query)).filter(([name]) => name in shape);
  return Object.fromEntries(known.map(([name, value]) => [name, maskCardNumbers(value)]));
}

/** @throws HttpError 400 `invalid_request` */
function parseFilters<Schema extends z.ZodObject>(
  schema: Schema,
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

/** A day in Seoul as the time of its beginning or end. Any other text is unchanged, and is refused later. */
function dayEdge(day: string, time: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T${time}${SEOUL_OFFSET}` : day;
}

/** A path with the non-empty parts of a query. */
export function addressOf(path: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}
