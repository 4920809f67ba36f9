// Time comes from outside, so that a test can move it.

export type Clock = {
  /** Wall-clock time: for rows, form ages and due times. */
  now(): Date;
  /** Milliseconds that only grow, whatever happens to the wall clock: for deadlines and the life of a token. */
  monotonicMs(): number;
};

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
