// A clock for both programs, which stands still until a test moves it.

import type { Clock } from '../../src/merchant/clock';

export type ManualClock = Clock & {
  /** The same time in milliseconds, for the sandbox. */
  nowMs(): number;
  advance(seconds: number): void;
};

export function createManualClock(startMs = Date.now()): ManualClock {
  let ms = startMs;
  return {
    now: () => new Date(ms),
    nowMs: () => ms,
    monotonicMs: () => ms,
    advance: (seconds) => {
      ms += seconds * 1000;
    },
  };
}
