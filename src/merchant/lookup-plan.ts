// When to ask what became of a call whose answer was lost, and when to believe that nothing did. Pure.
// Numbers of our own; the document shows none.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const FIRST_GAP_MS = 5 * SECOND;
/** From one look to the next; the last one repeats. */
const GAPS_MS = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE];
/** The service may carry a call out late, or show it late: only both together say that it did not happen. */
const ENOUGH_MISSES = 3;
const ENOUGH_TIME_MS = 10 * MINUTE;

/** A pending row older than this has lost its caller: the call and what follows it take less. */
export const CALLER_GONE_AFTER_MS = MINUTE;

export function firstLookAt(now: Date): Date {
  return new Date(now.getTime() + FIRST_GAP_MS);
}

/** @param lookups looks before the one that has just settled nothing */
export function nextLookAt(lookups: number, now: Date): Date {
  const gap = GAPS_MS[Math.min(lookups, GAPS_MS.length - 1)] as number;
  return new Date(now.getTime() + gap);
}

/** Whether one more look that found nothing proves that nothing happened. */
export function hasLookedEnough(
  { misses, startedAt }: { misses: number; startedAt: Date },
  now: Date,
): boolean {
  return misses + 1 >= ENOUGH_MISSES && now.getTime() - startedAt.getTime() >= ENOUGH_TIME_MS;
}
