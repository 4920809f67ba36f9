// The parameters of the payment window: the fields of a payment, and where its result goes. A shop that redirects the browser
// gives the address that it returns to; the browser script opens the window over a page and gives the origin of that page.

import { z } from 'zod';
import { windowFields } from '../payments/pay-in-window';

const redirected = z.object({
  ...windowFields,
  return_url: z.url({ protocol: /^https?$/ }).refine(hasNoCredentials),
});
const framed = z.object({ ...windowFields, callback_origin: z.string().refine(isOrigin) });

export type FramedRequest = z.output<typeof framed>;
export type WindowRequest = z.output<typeof redirected> | FramedRequest;
export type WindowField = keyof z.output<typeof redirected> | keyof FramedRequest;
export const WINDOW_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(redirected.shape),
  ...Object.keys(framed.shape),
]);
export const isFramed = (request: WindowRequest): request is FramedRequest => 'callback_origin' in request;

/** A field that is missing or malformed. Its value is never shown. */
export type WindowProblem = { field: WindowField | 'outcome'; isMissing: boolean };

/** Returns the parameters of the window, or every wrong field once. */
export function readWindow(
  fields: Record<string, unknown>,
): { request: WindowRequest } | { problems: WindowProblem[] } {
  const result = (fields['callback_origin'] === undefined ? redirected : framed).safeParse(fields);
  if (result.success) return { request: result.data };
  const wrong = new Set(result.error.issues.map(({ path }) => path[0] as WindowField));
  return { problems: [...wrong].map((field) => ({ field, isMissing: !fields[field] })) };
}

/** The origin of the page around the window; null if there is none, or if it is malformed. */
export function callbackOrigin({ callback_origin: origin }: Record<string, unknown>): string | null {
  return typeof origin === 'string' && isOrigin(origin) ? origin : null;
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

// A user name before the host can make the address look like that of another host.
function hasNoCredentials(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username === '' && password === '';
}
