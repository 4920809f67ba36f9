// Parses untrusted fields. Bodies are JSON or forms, so a number may arrive as text and an absent field as ''. A
// wrong field is a 400 that names it; the value itself is never repeated, because it may be card data.

import { z } from 'zod';
import { HttpError } from './answer';
import { maskDigits } from './mask-digits';

export const text = (maxLength: number) => z.string().min(1).max(maxLength);

/** An id that is safe in a path. An id that consists of dots only is never valid. */
export const id = (maxLength: number) =>
  text(maxLength).regex(/^(?!\.+$)[^\s/\\?#]+$/, 'has characters that an id cannot have');

export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^-?\d{1,16}$/)
          .transform(Number),
      ],
      'must be a whole number',
    )
    .pipe(z.number().int().min(min).max(max));

/** A boolean, which a form sends as text. */
export const flag = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')],
  'must be true or false',
);

/** Null, '' and an empty list count as absent, because clients send them for fields without a value. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (isWithoutValue(value) ? undefined : value), schema.optional());

const isWithoutValue = (value: unknown) =>
  value === '' || value === null || (Array.isArray(value) && value.length === 0);

/** One value or several: `name=a`, `name[]=a&name[]=b` or a JSON array. */
export const listOf = <Schema extends z.ZodType>(schema: Schema, maxLength: number) =>
  z.preprocess(
    (value) => (Array.isArray(value) || value === undefined ? value : [value]),
    z.array(schema).min(1).max(maxLength),
  );

/** Throws a 400 that names every wrong field. */
export function parseFields<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.output<Schema> {
  const result = schema.safeParse(fields);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => describe(issue, fields));
  throw new HttpError(400, maskDigits(problems.join('; ')));
}

function describe({ path, message }: z.core.$ZodIssue, fields: unknown): string {
  const name = path.map((part, depth) => (depth > 0 ? `[${String(part)}]` : String(part))).join('') || 'body';
  return `${name}: ${valueAt(fields, path) === undefined ? 'is required' : message}`;
}

function valueAt(fields: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (value as Record<PropertyKey, unknown> | undefined)?.[part],
    fields,
  );
}
