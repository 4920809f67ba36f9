// Time comes from outside, so that a test can move it. Nothing else in the merchant asks the host for the time.

export type Clock = {
  /** Wall-clock time: for rows, form ages and due times. */
  now(): Date;
  /** Milliseconds that only grow: for deadlines and the life of a token, whatever happens to the wall clock. */
  monotonicMs(): number;
};

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
