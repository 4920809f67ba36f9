// The clock is injected, so that a test can move it.

import { setTimeout as pause } from 'node:timers/promises';

export type Clock = {
  /** Wall-clock time: for rows, form ages and due times. */
  now(): Date;
  /** Monotonic milliseconds, independent of the wall clock: for deadlines and token lifetimes. */
  monotonicMs(): number;
  /**
   * Resolves after this time. For pauses that limit how often something is done. Rejects if `signal` is aborted.
   * @param options `ref`: whether the wait keeps the process running; true by default
   */
  wait(ms: number, options?: { signal?: AbortSignal | undefined; ref?: boolean }): Promise<void>;
};

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  wait: (ms, options) => pause(ms, undefined, options),
};

export const DAY_MS = 24 * 3_600_000;

// Seoul is ahead of UTC by this, all year: Korea has no daylight saving time.
export const SEOUL_OFFSET_MS = 9 * 3_600_000;
/** The same as an ISO 8601 suffix. */
export const SEOUL_OFFSET = '+09:00';

/** A time as the clocks of Seoul show it: "2026-11-21 17:20:03". */
export const timeInSeoul = (time: Date): string =>
  new Date(time.getTime() + SEOUL_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');

/** Such as "2026-11-21". */
export const dayInSeoul = (time: Date): string => timeInSeoul(time).slice(0, 10);

/** When a day such as "2026-11-21" begins in Seoul. An invalid date if it is none. */
export const beginOfDay = (day = ''): Date => new Date(`${day}T00:00:00${SEOUL_OFFSET}`);

// Crontabs of recurring jobs.
export const EVERY_MINUTE = '* * * * *';
export const EVERY_FIVE_MINUTES = '*/5 * * * *';
/** 04:00 in Seoul. */
export const ONCE_A_DAY = '0 19 * * *';

/** Clocks of hosts differ by less. */
const CLOCKS_APART_MS = 60_000;

/**
 * The last `ms` before now. A time after its end was written before a person put the clock back: it is not recent, and
 * nothing may wait until it comes.
 */
export function recentSpan(ms: number, now: Date): { from: Date; to: Date } {
  return { from: new Date(now.getTime() - ms), to: new Date(now.getTime() + CLOCKS_APART_MS) };
}

/** Whether a time is within the last `ms`. */
export function isRecent(time: Date, ms: number, now: Date): boolean {
  const { from, to } = recentSpan(ms, now);
  return time > from && time <= to;
}

/**
 * Resolves to the result, or to null after the limit. Uses a host timer, not the clock, because it limits a real wait.
 */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, limitMs, null);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
