// Untrusted input into typed values, or a 400 that names the fields and what they must be, and repeats no value.

import type { z } from 'zod';
import { RequestFault } from '../errors';

/** @throws RequestFault 400 `invalid_request` */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new RequestFault(400, 'invalid_request', problems.slice(0, 10).join('; '));
}
