// When to poll after a lost answer, and when to conclude that nothing happened. Pure. The numbers are our choice; §4.2,
// §4.3 and §4.9 show none.

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

export function firstPollAt(now: Date): Date {
  return new Date(now.getTime() + FIRST_GAP_MS);
}

const LONG_AGO = new Date(0);

/**
 * One poll is at the very end of the time in which the service may still show the call: the order, payment or key then
 * waits no longer than that.
 * @param polls the number of polls before the one that has just ended
 * @param startedAt of the attempt
 */
export function nextPollAt(polls: number, now: Date, startedAt = LONG_AGO): Date {
  const gap = GAPS_MS[Math.min(polls, GAPS_MS.length - 1)] as number;
  const inTurnMs = now.getTime() + gap;
  const provenMs = startedAt.getTime() + MAY_STILL_SHOW_MS;
  return new Date(now.getTime() < provenMs ? Math.min(inTurnMs, provenMs) : inTurnMs);
}

/** Whether one more poll that finds nothing proves that nothing happened. */
export function hasPolledEnough(
  { notFoundPolls, startedAt }: { notFoundPolls: number; startedAt: Date },
  now: Date,
): boolean {
  return notFoundPolls + 1 >= ENOUGH_NOT_FOUND && now.getTime() - startedAt.getTime() >= MAY_STILL_SHOW_MS;
}
