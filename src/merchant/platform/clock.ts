// The clock is injected, so that a test can move it.

import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from './context';

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

/** A clock that a person can move. It exists outside production only. */
export type MovableClock = Clock & {
  /** How far it is ahead of the host's clock, in milliseconds. */
  aheadMs(): number;
  /** A post to this path of ours puts it back to the real time. `back` is the path to return to. */
  resetPath: string;
  /** Learns once how far it was moved, for a command. Never throws: without an answer it shows the real time. */
  learn(): Promise<void>;
  /** Learns it again and again, until the signal is aborted. Never throws. */
  follow(context: Context, signal: AbortSignal): Promise<void>;
};

export const isMovable = (clock: Clock): clock is MovableClock => 'aheadMs' in clock;

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

// Crontabs of recurring jobs.
export const EVERY_MINUTE = '* * * * *';
export const EVERY_FIVE_MINUTES = '*/5 * * * *';
/** 04:00 in Seoul. */
export const ONCE_A_DAY = '0 19 * * *';

/**
 * Resolves to the result, or to null after the limit. Uses a host timer, not the clock, because it limits a real wait.
 */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, limitMs, null);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
