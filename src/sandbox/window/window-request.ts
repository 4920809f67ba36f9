// The parameters of the payment window: the fields of a payment, and the address that the browser returns to.

import { z } from 'zod';
import { windowFields } from '../payments/pay-in-window';

const windowSchema = z.object({
  ...windowFields,
  return_url: z.url({ protocol: /^https?$/ }).refine(hasNoCredentials),
});

export const WINDOW_NAMES: ReadonlySet<string> = new Set(Object.keys(windowSchema.shape));
export type WindowRequest = z.output<typeof windowSchema>;
export type WindowField = keyof WindowRequest;
/** A field that is missing or malformed. Its value is never shown. */
export type WindowProblem = { field: WindowField | 'outcome'; isMissing: boolean };

/** Returns the parameters of the window, or every wrong field once. */
export function readWindow(
  fields: Record<string, unknown>,
): { request: WindowRequest } | { problems: WindowProblem[] } {
  const result = windowSchema.safeParse(fields);
  if (result.success) return { request: result.data };
  const wrong = new Set(result.error.issues.map(({ path }) => path[0] as WindowField));
  return { problems: [...wrong].map((field) => ({ field, isMissing: !fields[field] })) };
}

// A user name before the host can make the address look like that of another host.
function hasNoCredentials(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username === '' && password === '';
}
