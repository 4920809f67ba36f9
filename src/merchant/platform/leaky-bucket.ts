// A leaky bucket with time as its level (GCRA): what is kept of it is the one moment at which it will be empty. It has no
// windows, so that nobody gains by waiting for the next one.

import type { AttemptLimit } from './card-limits';

/** By how many milliseconds later a bucket is empty if one more is put in. */
export function dropMs({ attempts, seconds }: AttemptLimit): number {
  return Math.floor((seconds * 1000) / attempts);
}

/**
 * Returns null while there is room for one more, else the seconds until there is.
 * @param emptyAtMs when the bucket will be empty; a time in the past: it is empty
 */
export function secondsUntilRoom(limit: AttemptLimit, emptyAtMs: number, nowMs: number): number | null {
  const tooMuchMs = Math.max(emptyAtMs, nowMs) + dropMs(limit) - nowMs - limit.seconds * 1000;
  return tooMuchMs > 0 ? Math.ceil(tooMuchMs / 1000) : null;
}
