// A list of our own rows: its filters and its pagination. The JSON API, the operator pages, their CSV and the action
// queue read the same definition.

import { z } from 'zod';
import type { Context, Scope } from '../context';
import { apiRoute, type ApiRoute } from './api-route';
import { pageLimit, toPeriod } from './query';

const DEFAULT_LIMIT = 20;

export type Page<Item> = {
  list: Item[];
  /** `after` of the next page; null on the last page. */
  next: string | null;
};

/** @typeParam StoreFilter the query in the form that stores take */
export type List<Query extends z.ZodObject, Item, StoreFilter = unknown> = {
  query: Query;
  /** @throws HttpError 400 `invalid_request` if a period ends before it begins */
  filterOf(query: z.output<Query>): StoreFilter;
  read(context: Context, query: z.output<Query>): Promise<Page<Item>>;
};

/** The last row of the page before, as a position in the order of the list and as text. */
export type Cursor<Row, Place> = {
  text: z.ZodType<string, string>;
  description?: string;
  toText(row: Row): string;
  /** Parses a text that the schema accepted. */
  toPlace(text: string): Place;
};

/** For rows with numeric ids. */
export const byId: Cursor<{ id: bigint }, bigint> = {
  text: z.string().regex(/^[1-9]\d{0,17}$/, 'must be the "next" of a page'),
  toText: ({ id }) => String(id),
  toPlace: BigInt,
};

/**
 * For rows sorted by a time and, within one millisecond, by an id.
 * @param time the column of the time
 * @param id the column of the id, of letters, digits, "_", ".", ":" and "-"
 */
export function byTime<Time extends string, Id extends string>(
  time: Time,
  id: Id,
): Cursor<TimePlace<Time, Id>, TimePlace<Time, Id>> {
  return {
    text: z.string().regex(/^\d{1,14}-[\w.:-]{1,80}$/, 'must be the "next" of a page'),
    toText: (row) => `${row[time].getTime()}-${row[id]}`,
    toPlace(text) {
      const end = text.indexOf('-');
      const place: Record<string, unknown> = {
        [time]: new Date(Number(text.slice(0, end))),
        [id]: text.slice(end + 1),
      };
      return place as TimePlace<Time, Id>;
    },
  };
}

type TimePlace<Time extends string, Id extends string> = Record<Time, Date> & Record<Id, string>;

type Paging = { after: z.ZodOptional<z.ZodType<string, string>>; limit: z.ZodDefault<typeof pageLimit> };

type Definition<Filters extends z.ZodRawShape, Row, Place, Item> = {
  /** Query fields. The ends of a period are `from` and `to`. */
  filters: Filters;
  cursor: Cursor<NoInfer<Row>, Place>;
  /** In cursor order, starting after `after`. */
  find(context: Context, filter: Filter<Filters, Place>, take: number): Promise<Row[]>;
  json(row: NoInfer<Row>): Item;
};

/**
 * The query in the form that stores take: camelCase names, a period as dates, `after` as a cursor. What is not asked for
 * is absent, so that a store can use all the other fields as its conditions.
 */
type Filter<Filters extends z.ZodRawShape, Place> = CamelKeys<
  z.output<z.ZodObject<Omit<Filters, Period>>>
> & {
  [Name in Extract<keyof Filters, Period>]: Date | undefined;
} & { after: Place | undefined };

type Period = 'from' | 'to';

type CamelKeys<Fields> = {
  [Name in keyof Fields as Name extends string ? CamelCase<Name> : Name]: Exclude<Fields[Name], undefined>;
};
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

export function defineList<Filters extends z.ZodRawShape, Row, Place, Item>({
  filters,
  cursor,
  find,
  json,
}: Definition<Filters, Row, Place, Item>): List<z.ZodObject<Filters & Paging>, Item, Filter<Filters, Place>> {
  const { description = '`next` of the page before; absent for the first page.' } = cursor;
  const paging: Paging = {
    after: cursor.text.optional().meta({ description }),
    limit: pageLimit.default(DEFAULT_LIMIT),
  };
  const query = z.object({ ...filters, ...paging });
  return { query, filterOf, read };

  function filterOf(asked: z.output<typeof query>): Filter<Filters, Place> {
    const { after, ...fields } = asked as Asked;
    const place = after === undefined ? undefined : cursor.toPlace(after);
    const filter = { ...fields, ...toPeriod(fields), after: place, limit: undefined };
    return camelKeys(filter) as Filter<Filters, Place>;
  }

  async function read(context: Context, asked: z.output<typeof query>): Promise<Page<Item>> {
    const { limit } = asked as Asked;
    // One more row than shown tells whether there is a next page.
    const rows = await find(context, filterOf(asked), limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return { list: page.map((row) => json(row)), next: last === undefined ? null : cursor.toText(last) };
  }
}

type Asked = z.output<z.ZodObject<Paging>> & Parameters<typeof toPeriod>[0];

function camelKeys(fields: object): object {
  const asked = Object.entries(fields).filter(([, value]) => value !== undefined) as [string, unknown][];
  return Object.fromEntries(
    asked.map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

type Described<Schema extends z.ZodType> = {
  path: string;
  /** Default: `read`. */
  scope?: Scope;
  summary: string;
  /** Of the answer, in the API description. */
  id: string;
  item: Schema;
  example: z.input<NoInfer<Schema>>;
};

/** The list as a route of the JSON API. */
export function listRoute<Query extends z.ZodObject, Schema extends z.ZodType>(
  { query, read }: List<Query, unknown>,
  { path, scope = 'read', summary, id, item, example }: Described<Schema>,
): ApiRoute {
  const schema = z
    .strictObject({
      list: z.array(item),
      next: z.string().nullable().meta({ description: '`after` of the next page; null on the last.' }),
    })
    .meta({ id });
  return apiRoute({
    method: 'get',
    path,
    scope,
    summary,
    query,
    answers: { 200: { description: 'A page.', schema, example: { list: [example], next: null } } },
    handle: async (context, asked) => ({ body: await read(context, asked.query) }),
  });
}
