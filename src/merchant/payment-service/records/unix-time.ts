// Times as the wire writes them: whole UNIX seconds (§2.4).

/** The last second of the year 9999. */
export const MAX_UNIX_SECONDS = 253_402_300_799;

/** Rounds down: a part of a second is not on the wire. */
export function toUnixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}

export function fromUnixSeconds(seconds: number): Date {
  return new Date(seconds * 1_000);
}
