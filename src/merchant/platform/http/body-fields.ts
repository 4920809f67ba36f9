// Common parts of JSON API bodies: untrusted input becomes typed values, or a 400 that names the fields. An unknown
// field is refused by name, because a misspelt one (`memberid`) would otherwise be ignored silently. Texts are single
// lines that the database and the service can hold.

import type { Request } from 'express';
import { z } from 'zod';
import { FieldError } from '../platform-errors';
import { problemText } from '../problem-text';
import { maskCardNumbers } from './mask-card-numbers';

/** An object with exactly these fields, as a body or within one. */
export function strictBody<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownFields(issue.keys) : undefined),
  });
}

/**
 * A field of the payment service that a route does not accept. It is refused with this reason instead of as unknown.
 */
export function refusedField(reason: string) {
  return z
    .never({ error: `is not taken: ${reason}` })
    .optional()
    .meta({ description: `Refused: ${reason}.` });
}

/** NUL and lone surrogates cannot be stored; other control characters do not belong in an id, a name or a reason. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** A single-line text, unchanged. */
export function exactLine(maxLength: number) {
  return printable(z.string().min(1).max(maxLength));
}

/** A single-line text, trimmed. */
export function textLine(maxLength: number) {
  return printable(z.string().trim().min(1).max(maxLength));
}

/**
 * Characters that are invisible or change the text direction: format characters, line separators, fillers. With them a
 * name can look like another one. A variation selector is allowed after an emoji. Joined emoji (U+200D) are refused
 * too: an audit trail does not need them.
 */
const INVISIBLE =
  /[\p{Cf}\p{Zl}\p{Zp}]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}|(?<!\p{Extended_Pictographic})\p{Variation_Selector}/u;

/** A single-line text without invisible characters: who decides, and why. */
export function shownLine(maxLength: number) {
  return textLine(maxLength).refine(
    (text) => !INVISIBLE.test(text),
    'must not hold invisible characters, or characters that turn the direction of the text',
  );
}

/**
 * A text that a person types and that is stored. It may contain a card number that a buyer dictated, so card numbers
 * are masked.
 */
export function keptLine(maxLength: number) {
  return shownLine(maxLength).overwrite(maskCardNumbers);
}

function printable(schema: z.ZodString) {
  return schema.refine((text) => !UNPRINTABLE.test(text), 'must not hold control characters');
}

const MOST_NAMES = 5;
/** What may be the misspelt name of a field. Anything else may be a value, and is not repeated in the answer. */
const PLAIN_NAME = /^[A-Za-z_]\w{0,39}$/;

function unknownFields(names: readonly string[]): string {
  const named = names
    .slice(0, MOST_NAMES)
    .map((name) => (PLAIN_NAME.test(name) ? maskCardNumbers(name) : 'a name that is not repeated here'));
  return `has unknown fields: ${named.join(', ')}`;
}

/**
 * Parses untrusted input into typed values. The 400 names the fields and what they must be, and repeats no value.
 * @throws HttpError 400 `invalid_request`
 */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: problemText });
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  // Only names come from the caller. The messages are ours, and a limit in them may look like a card number.
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${maskCardNumbers(path.join('.')) || 'body'}: ${message}`,
  );
  throw new FieldError(first ? fieldOf(first) : null, first?.message ?? '', problems.slice(0, 10).join('; '));
}

/** Dotted. Null for the body as a whole, or for an unknown name that may be a value. */
function fieldOf(issue: z.core.$ZodIssue): string | null {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  if (unknown.some((name) => !PLAIN_NAME.test(name))) return null;
  return maskCardNumbers([...issue.path, ...unknown].join('.')) || null;
}

/**
 * Refuses parameters that the schema does not name: a misspelt filter must not return everything. Express keeps its
 * simple query parser: `customer_uid[]=a&customer_uid[]=b` is one name with two texts.
 * @throws HttpError 400 `invalid_request`
 */
export function parseQuery<Schema extends z.ZodObject>(schema: Schema, { query }: Request): z.output<Schema> {
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const problem = `takes ${known.join(', ')} and nothing else`;
    const param = PLAIN_NAME.test(unknown) ? maskCardNumbers(unknown) : null;
    throw new FieldError(param, problem, `query: ${problem}`);
  }
  return parseRequest(schema, { ...query });
}
