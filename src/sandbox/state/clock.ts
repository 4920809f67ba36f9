// The service's clock: a base clock from outside plus what POST /_sandbox/clock added to it.
export type SandboxClock = {
  /** Milliseconds, for resends and jitter. */
  nowMs: () => number;
  /** UNIX seconds, as every field of the document counts. */
  now: () => number;
  offsetMs(): number;
  setOffsetMs(offsetMs: number): void;
  /** Moves forward to this instant; an instant already past is left alone. */
  moveTo(timeMs: number): void;
};

export function createClock(baseMs: () => number): SandboxClock {
  let offset = 0;
  const nowMs = () => baseMs() + offset;
  return {
    nowMs,
    now: () => Math.floor(nowMs() / 1000),
    offsetMs: () => offset,
    setOffsetMs: (offsetMs) => {
      offset = offsetMs;
    },
    moveTo: (timeMs) => {
      offset += Math.max(0, timeMs - nowMs());
    },
  };
}
