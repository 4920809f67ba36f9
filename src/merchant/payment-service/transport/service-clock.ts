/** What the client reads of the merchant's clock. */
export type ServiceClock = {
  /** Wall-clock time: for pauses, whose end is a time. */
  now(): Date;
  /** Milliseconds, independent of the wall clock: for deadlines and the lifetime of a token. */
  monotonicMs(): number;
};
