// One description for each stored table, in `row.ts` of the folder that owns it, with one line for each column. The
// schema of the API, the JSON of a row, its example, the erasure and the columns of operators' lists are made from it.
// A column of the Prisma model without a line does not compile.

import { z } from 'zod';
import type { Column, ColumnKind } from './operator-records';
import { toColumnName, type Rule } from './personal-data';

/** How an operator's list shows a column. A detail is left out of the table, and is in the CSV. */
type Shown = ColumnKind | { detail: ColumnKind };

type Line<Schema = z.ZodType | null> = {
  erasure: Rule;
  schema: Schema;
  example: unknown;
  shown: Shown | null;
};

/**
 * The lines of a table, for `satisfies Lines<rows.Charge>`. The schema of each column takes what the column can hold: a
 * column that can be null needs a schema that ends in `.nullable()`.
 */
export type Lines<Row> = { readonly [Field in keyof Row]-?: Line<SchemaOf<Row[Field]> | null> };

type SchemaOf<Value> = null extends Value
  ? z.ZodNullable<z.ZodType<Json<NonNullable<Value>>>>
  : z.ZodType<Json<Value>>;
/** Times are ISO 8601. Ids are texts, other big integers are numbers: as the schema says. */
type Json<Value> = Value extends Date ? string : Value extends bigint ? string | number : Value;

export const text = z.string();
export const count = z.int().min(0);
export const time = z.iso.datetime();

/** A column that no answer of the API has. */
export function hidden(erasure: Rule): Line<null> {
  return { erasure, schema: null, example: null, shown: null };
}

/**
 * @param erasure what an erasure does with it (`personal-data.ts`)
 * @param schema of its value in JSON
 * @param example in the API description
 * @param shown absent: no list of operators has it
 */
export function column<Schema extends z.ZodType>(
  erasure: Rule,
  schema: Schema,
  example: z.input<NoInfer<Schema>>,
  shown: Shown | null = null,
): Line<Schema> {
  return { erasure, schema, example, shown };
}

/** The schemas by the names of the API: `merchant_uid` for `merchantUid`. */
type Shape<Fields> = {
  [
    Field in keyof Fields as Fields[Field] extends Line<null> ? never : SnakeCase<Field>
  ]: Fields[Field] extends Line<infer Schema extends z.ZodType> ? Schema : never;
};
type SnakeCase<Name> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? '' : '_'}${Lowercase<Letter>}${SnakeCase<Rest>}`
  : '';

export function describeRow<Fields extends Readonly<Record<string, Line>>>(lines: Fields) {
  type Names = Shape<Fields>;
  type Item = z.output<z.ZodObject<Names>>;
  const answered = Object.entries<Line>(lines).flatMap(([field, { schema, ...line }]) =>
    schema === null ? [] : [{ field, name: toColumnName(field), schema, ...line }],
  );
  const byName = (valueOf: (line: (typeof answered)[number]) => unknown) =>
    Object.fromEntries(answered.map((line) => [line.name, valueOf(line)]));
  return {
    /** For the `personalData` of the feature. */
    erasure: Object.fromEntries(Object.entries<Line>(lines).map(([field, { erasure }]) => [field, erasure])),
    shape: byName(({ schema }) => schema) as Names,
    example: byName(({ example }) => example) as Item,
    json: (row: Readonly<Record<keyof Fields, unknown>>) =>
      byName(({ field, schema }) => toJson(row[field as keyof Fields], schema)) as Item,
    /** The columns of an operator's list, in the order of the lines. @param first come before the others */
    columns(first: readonly (keyof Names)[] = []): Column<Item>[] {
      const place = (name: string) => (first as readonly string[]).indexOf(name) + 1 || first.length + 1;
      return answered
        .flatMap(({ name, shown }) => (shown === null ? [] : [listColumn(name, shown)]))
        .sort((one, other) => place(one.name) - place(other.name));
    },
  };
}

function toJson(value: unknown, schema: z.ZodType): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'bigint') return value;
  const inner = schema instanceof z.ZodNullable ? schema.unwrap() : schema;
  return inner instanceof z.ZodString ? String(value) : Number(value);
}

/** An amount has its currency beside it, in every row. */
function listColumn(name: string, shown: Shown): Column<object> {
  const kind = typeof shown === 'string' ? shown : shown.detail;
  const value = (row: object, of = name) => (row as Record<string, string | number | null>)[of] ?? null;
  return {
    name,
    kind,
    value: (row) => value(row),
    ...(kind === 'amount' && { currency: (row) => value(row, 'currency') as string | null }),
    ...(typeof shown === 'object' && { isDetail: true }),
  };
}
