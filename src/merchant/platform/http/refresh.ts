// A page that waits for something asks again by itself, at growing gaps and not for ever. A header does it, so that it works
// without JavaScript; a link on the page stops it.

import type { Request } from 'express';
import { z } from 'zod';

/** Until a page asks again, by how often it has done so. After the last one the reader decides. */
const REFRESH_AFTER_SECONDS = [3, 5, 8, 15, 30, 60, 120];

/** Such an attempt asks no more. */
export const LAST_ATTEMPT = REFRESH_AFTER_SECONDS.length;

/** Seconds until a page refreshes itself. Returns null if it does not. */
export function refreshAfter(attempt: number): number | null {
  return REFRESH_AFTER_SECONDS[attempt] ?? null;
}

const attemptSchema = z
  .string()
  .regex(/^\d{1,2}$/)
  .transform(Number)
  .catch(0);

/** How often the page has refreshed itself. */
export function attemptOf({ query }: Request): number {
  return attemptSchema.parse(query['attempt']);
}
