// When to poll after a lost answer, and when to conclude that nothing happened. Pure. The numbers are our choice; §4.2,
// §4.3 and §4.9 show none.

import { isRecent } from '../../platform/clock';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const FIRST_GAP_MS = 5 * SECOND;
/** Gaps between polls. The last one repeats. */
const GAPS_MS = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE];
/**
 * The service may carry out a call late, or show it late. Only enough polls and enough time together prove that it did
 * not happen.
 */
const ENOUGH_NOT_FOUND = 3;
export const MAY_STILL_SHOW_MS = 10 * MINUTE;

/**
 * By then the polls have resolved every attempt that the service can be asked about. An older one is stuck, and a
 * person has to look.
 */
export const STUCK_AFTER_MS = 30 * MINUTE;

/** A pending row older than this has lost its caller: the call and the writes after it take less time. */
export const CALLER_GONE_AFTER_MS = MINUTE;

export function firstPollAt(realNow: Date): Date {
  return new Date(realNow.getTime() + FIRST_GAP_MS);
}

/**
 * One poll is at the very end of the time in which the service may still show the call: the order, payment or key then
 * waits no longer than that.
 * @param polls the number of polls before the one that has just ended
 * @param ageMs of the attempt, on the shop's clock
 */
export function nextPollAt(polls: number, realNow: Date, ageMs = Infinity): Date {
  const gap = GAPS_MS[Math.min(polls, GAPS_MS.length - 1)] as number;
  const untilProven = MAY_STILL_SHOW_MS - ageMs;
  return new Date(realNow.getTime() + (untilProven > 0 ? Math.min(gap, untilProven) : gap));
}

/**
 * Whether one more poll that finds nothing proves that nothing happened.
 * @param now the shop's time, like `startedAt`
 */
export function hasPolledEnough(
  { notFoundPolls, startedAt }: { notFoundPolls: number; startedAt: Date },
  now: Date,
): boolean {
  return notFoundPolls + 1 >= ENOUGH_NOT_FOUND && !isRecent(startedAt, MAY_STILL_SHOW_MS, now);
}
