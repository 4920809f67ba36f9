// A clock for both programs, which stands still until a test moves it. It is ahead of the host's clock, so that the job engine,
// which uses the database's time, never finds a job due during a test.

import { systemClock, type Clock } from '../../src/merchant/platform/clock';

/** Less than five minutes, the tolerance for the time of a signed event. */
const AHEAD_MS = 3 * 60_000;

export function createManualClock(startMs = Date.now() + AHEAD_MS) {
  let ms = startMs;
  const clock: Clock = {
    now: () => new Date(ms),
    monotonicMs: () => ms,
    // Pauses that limit a rate use real time.
    wait: (waitMs, options) => systemClock.wait(waitMs, options),
  };
  return {
    ...clock,
    /** The same time in milliseconds, for the sandbox. */
    nowMs: () => ms,
    advance: (seconds: number) => void (ms += seconds * 1000),
  };
}
