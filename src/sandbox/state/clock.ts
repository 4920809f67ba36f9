// The service's clock: a base clock from outside plus the time that POST /_sandbox/clock added to it.

/** Times are stored in 32 bits (storage/column-store.ts), so the clock ends in February 2106. */
export const MAX_TIME = 2 ** 32 - 1;

export type SandboxClock = {
  /** Milliseconds, for resends and jitter. */
  nowMs: () => number;
  /** UNIX seconds, the unit of all time fields of the document. */
  now: () => number;
  /** Real time in UNIX seconds, also while the clock is moved: for signatures, which a receiver refuses when they are old. */
  realNow: () => number;
  offsetMs(): number;
  setOffsetMs(offsetMs: number): void;
  /** Moves the clock forward to this time. An earlier time changes nothing. */
  moveTo(timeMs: number): void;
};

export function createClock(baseMs: () => number): SandboxClock {
  let offset = 0;
  const nowMs = () => baseMs() + offset;
  return {
    nowMs,
    now: () => Math.floor(nowMs() / 1000),
    realNow: () => Math.floor(baseMs() / 1000),
    offsetMs: () => offset,
    setOffsetMs: (offsetMs) => {
      offset = offsetMs;
    },
    moveTo: (timeMs) => {
      offset += Math.max(0, timeMs - nowMs());
    },
  };
}
