// Which stretch of time a sweep asks for. Pure. Every time here is on the service's clock, in whole seconds as the
// wire has them; how the host's clock is set does not matter.

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/** "The search period is at most 90 days" (§4.5, §8). */
export const LONGEST_PERIOD_MS = 90 * DAY;
/** A sweep begins this long before the end of the last one: for records that its lists showed late. */
export const OVERLAP_MS = HOUR;
/** How often a sweep goes back over the longest period, and why: see sweep.ts. */
const LOOK_BACK_EVERY_MS = DAY;
/** Clocks that drift, and orders registered after they were paid. */
const BEFORE_FIRST_ORDER_MS = DAY;

export type Span = { from: Date; to: Date };

export type Position = {
  /** Everything up to here has been compared. */
  sweptTo: Date;
  /** When the sweep last began to go far back; still on its way while `sweptTo` is before it. */
  lookedBackAt: Date;
};

type Start = {
  /** Null before the first sweep. */
  position: Position | null;
  now: Date;
  historyBeginsAt: Date;
  /** Whether somebody asked to go far back. One that is on its way is continued, not begun again. */
  lookBack: boolean;
};

/** The position from which a sweep goes on. */
export function startingPosition({ position, now, historyBeginsAt, lookBack }: Start): Position {
  if (position === null) return { sweptTo: historyBeginsAt, lookedBackAt: now };
  const { sweptTo, lookedBackAt } = position;
  const clockWentBack = Math.max(+sweptTo, +lookedBackAt) > +now + OVERLAP_MS;
  const onItsWay = sweptTo < lookedBackAt;
  const due = !onItsWay && (lookBack || +now - +lookedBackAt >= LOOK_BACK_EVERY_MS);
  if (!clockWentBack && !due) return position;
  const longAgo = Math.max(+historyBeginsAt, +now - LONGEST_PERIOD_MS);
  return { sweptTo: new Date(Math.min(+sweptTo, longAgo)), lookedBackAt: now };
}

/** What is left to compare. */
export function spanFrom({ sweptTo }: Position, now: Date): Span {
  return { from: wholeSecond(Math.min(+sweptTo, +now) - OVERLAP_MS), to: now };
}

/**
 * Nothing is paid before it is ordered. The first order's time is on the host's clock, which may be off by as much as
 * it is now, or may have agreed with a service whose clock has been moved since: the earlier reading counts.
 */
export function historyBegin(firstOrderAt: Date | null, hostNow: Date, now: Date): Date {
  if (firstOrderAt === null) return now;
  const offByMs = Math.max(0, +hostNow - +now);
  return wholeSecond(Math.min(+firstOrderAt - offByMs, +now) - BEFORE_FIRST_ORDER_MS);
}

/** The first stretch of a span that may be asked for at once. */
export function firstWindow({ from, to }: Span): Span {
  return { from, to: new Date(Math.min(+to, +from + LONGEST_PERIOD_MS)) };
}

/**
 * A window that holds about `share` of what this one does, if that were spread evenly: shorter than this one, and at
 * least a second long. A window of one second cannot be shortened: null.
 */
export function shorterWindow({ from, to }: Span, share: number): Span | null {
  const seconds = (+to - +from) / SECOND;
  if (seconds <= 1) return null;
  const shorter = Math.min(Math.max(Math.floor(seconds * share), 1), seconds - 1);
  return { from, to: new Date(+from + shorter * SECOND) };
}

export function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / SECOND) * SECOND);
}
