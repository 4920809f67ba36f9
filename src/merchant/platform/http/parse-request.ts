// Untrusted input into typed values, or a 400 that names the fields and what they must be, and repeats no value.

import type { Request } from 'express';
import type { z } from 'zod';
import { HttpError } from '../errors';
import { platformErrors } from '../platform-errors';
import { maskCardNumbers } from './mask-card-numbers';

/** @throws HttpError 400 `invalid_request` */
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
