// What we rely on in an answer is checked here; what is wrong is said without a word of the answer itself.
import type { z } from 'zod';
import type { ServiceFault } from '../errors';

/** Makes the fault for what is wrong with an answer. */
export type BadAnswer = (detail: string) => ServiceFault;

/** Names the first field that is not as described, and nothing of its content. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  payload: unknown,
  bad: BadAnswer,
): z.output<Schema> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.join('.') ?? '';
  throw bad(path === '' ? 'the record is no object' : `${path} is missing or not as described`);
}
