// Time comes from outside, so that a test can move it.

import { setTimeout as pause } from 'node:timers/promises';

export type Clock = {
  /** Wall-clock time: for rows, form ages and due times. */
  now(): Date;
  /** Milliseconds that only grow, whatever happens to the wall clock: for deadlines and the life of a token. */
  monotonicMs(): number;
  /**
   * Resolves after this time, for a pause that bounds how often something is done. Rejects when `signal` is aborted.
   * @param options `ref`: whether it keeps the process from ending; it does by default
   */
  wait(ms: number, options?: { signal?: AbortSignal | undefined; ref?: boolean }): Promise<void>;
};

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  wait: (ms, options) => pause(ms, undefined, options),
};

export const DAY_MS = 24 * 3_600_000;

// Korea, where the service and its merchants are, has no summer time: its clocks are ahead of UTC by this, all year.
export const SEOUL_OFFSET_MS = 9 * 3_600_000;
/** The same as ISO 8601 writes it behind a time. */
export const SEOUL_OFFSET = '+09:00';

// When recurring jobs run, as crontabs.
export const EVERY_MINUTE = '* * * * *';
export const EVERY_FIVE_MINUTES = '*/5 * * * *';
/** 04:00 in Seoul. */
export const ONCE_A_DAY = '0 19 * * *';

/** The result, or null if it takes longer. A host timer, not the clock: it bounds how long somebody waits. */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, limitMs, null);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
