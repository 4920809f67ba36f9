// What the bodies of the JSON API have in common: untrusted input becomes typed values, or a 400 that names the fields. A field
// that no route reads is refused by its name, because a misspelt one (`memberid`) would otherwise be left out without a word; and
// texts are one line that a row and the wire can hold.

import type { Request } from 'express';
import { z } from 'zod';
import { HttpError } from '../errors';
import { platformErrors } from '../platform-errors';
import { maskCardNumbers } from './mask-card-numbers';

/** An object with these fields and no others, in a body or within one. */
export function strictBody<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownFields(issue.keys) : undefined),
  });
}

/** A field of the payment service that a route does not take, refused with the reason instead of as unknown. */
export function refusedField(reason: string) {
  return z
    .never({ error: `is not taken: ${reason}` })
    .optional()
    .meta({ description: `Refused: ${reason}.` });
}

/** NUL and lone surrogates cannot be stored; other control characters have no place in an id, a name or a reason. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** A text as it is, of one line. */
export function exactLine(maxLength: number) {
  return printable(z.string().min(1).max(maxLength));
}

/** A text of one line, without the blanks around it. */
export function textLine(maxLength: number) {
  return printable(z.string().trim().min(1).max(maxLength));
}

/**
 * What turns the direction of a text or is not seen in it: format characters, line separators, fillers. With them a name
 * can look like another one. Variation selectors choose the look of an emoji and stay behind one. Joined emoji (U+200D)
 * are refused with the rest: an audit trail can do without them.
 */
const INVISIBLE =
  /[\p{Cf}\p{Zl}\p{Zp}]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}|(?<!\p{Extended_Pictographic})\p{Variation_Selector}/u;

/** A text of one line that looks like no other: who decides, and why. */
export function shownLine(maxLength: number) {
  return textLine(maxLength).refine(
    (text) => !INVISIBLE.test(text),
    'must not hold invisible characters, or characters that turn the direction of the text',
  );
}

/** One that a person types and that is kept. Whoever talks to a buyer may have been told a card number: it is masked. */
export function keptLine(maxLength: number) {
  return shownLine(maxLength).overwrite(maskCardNumbers);
}

function printable(schema: z.ZodString) {
  return schema.refine((text) => !UNPRINTABLE.test(text), 'must not hold control characters');
}

const MOST_NAMES = 5;
/** What can be the misspelt name of a field. Anything else may be a value, and is not repeated. */
const PLAIN_NAME = /^[A-Za-z_]\w{0,39}$/;

function unknownFields(names: readonly string[]): string {
  const named = names
    .slice(0, MOST_NAMES)
    .map((name) => (PLAIN_NAME.test(name) ? name : 'a name that is not repeated here'));
  return `has unknown fields: ${named.join(', ')}`;
}

/**
 * Untrusted input into typed values, or a 400 that names the fields and what they must be, and repeats no value.
 * @throws HttpError 400 `invalid_request`
 */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new HttpError(platformErrors.invalid_request, maskCardNumbers(problems.slice(0, 10).join('; ')));
}

/**
 * What the schema does not name is refused: a misspelt filter must not answer with everything. Express' own parser stays
 * the simple one: `customer_uid[]=a&customer_uid[]=b` is one name with two texts to it.
 * @throws HttpError 400 `invalid_request`
 */
export function parseQuery<Schema extends z.ZodObject>(schema: Schema, { query }: Request): z.output<Schema> {
  const known = Object.keys(schema.shape);
  if (Object.keys(query).some((name) => !known.includes(name)))
    throw new HttpError(platformErrors.invalid_request, `query: takes ${known.join(', ')} and nothing else`);
  return parseRequest(schema, { ...query });
}
