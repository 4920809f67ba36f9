// A clock for both programs, which stands still until a test moves it. It is ahead of the host's, so that the job engine,
// which takes the time from the database, never finds a job due by itself while a test takes its time.

import { systemClock, type Clock } from '../../src/merchant/platform/clock';

/** Less than the five minutes by which the time of a signed event may be off. */
const AHEAD_MS = 3 * 60_000;

export function createManualClock(startMs = Date.now() + AHEAD_MS) {
  let ms = startMs;
  const clock: Clock = {
    now: () => new Date(ms),
    monotonicMs: () => ms,
    // What bounds how often something is done may as well pass by itself.
    wait: (waitMs, options) => systemClock.wait(waitMs, options),
  };
  return {
    ...clock,
    /** The same time in milliseconds, for the sandbox. */
    nowMs: () => ms,
    advance: (seconds: number) => void (ms += seconds * 1000),
  };
}
