// When to ask what became of a call whose answer was lost, and when to conclude that nothing did. Pure.
// The numbers are our choice; §4.2, §4.3 and §4.9 show none.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const FIRST_GAP_MS = 5 * SECOND;
/** From one poll to the next; the last one repeats. */
const GAPS_MS = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE];
/** The service may carry a call out late, or show it late: only both together say that it did not happen. */
const ENOUGH_NOT_FOUND = 3;
export const MAY_STILL_SHOW_MS = 10 * MINUTE;

/** By then the polls have settled every attempt that can be asked about: what is older is stuck, and a person has to look. */
export const STUCK_AFTER_MS = 30 * MINUTE;

/** A pending row older than this has lost its caller: the call and what follows it take less. */
export const CALLER_GONE_AFTER_MS = MINUTE;

export function firstPollAt(now: Date): Date {
  return new Date(now.getTime() + FIRST_GAP_MS);
}

/** @param polls polls before the one that has just settled nothing */
export function nextPollAt(polls: number, now: Date): Date {
  const gap = GAPS_MS[Math.min(polls, GAPS_MS.length - 1)] as number;
  return new Date(now.getTime() + gap);
}

/** Whether one more poll that found nothing proves that nothing happened. */
export function hasPolledEnough(
  { notFoundPolls, startedAt }: { notFoundPolls: number; startedAt: Date },
  now: Date,
): boolean {
  return notFoundPolls + 1 >= ENOUGH_NOT_FOUND && now.getTime() - startedAt.getTime() >= MAY_STILL_SHOW_MS;
}
