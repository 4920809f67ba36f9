// Untrusted fields to typed ones: JSON or form, so numbers may arrive as text and absent things as ''.
// A wrong field is a 400 that names it; the value itself is never repeated (it may be card data).
import { z } from 'zod';
import { Refusal } from './answer';

export const text = (longest: number) => z.string().min(1).max(longest);

/** An id that is safe in a path: the longest length is per field, an id of dots only is never valid. */
export const id = (longest: number) =>
  text(longest).regex(/^(?!\.+$)[^\s/\\?#]+$/, 'has characters that an id cannot have');

export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) =>
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
    .pipe(z.number().int().min(least).max(most));

/** Present with a meaning, or undefined: null and '' count as absent, as form clients send them. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());

/** One or many, as `name=a`, `name[]=a&name[]=b` or a JSON array. */
export const listOf = <Schema extends z.ZodType>(schema: Schema, most: number) =>
  z.preprocess(
    (value) => (Array.isArray(value) || value === undefined ? value : [value]),
    z.array(schema).min(1).max(most),
  );

export function parseFields<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.output<Schema> {
  const result = schema.safeParse(fields);
  if (result.success) return result.data;
  throw new Refusal(400, result.error.issues.map((issue) => describe(issue, fields)).join('; '));
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
