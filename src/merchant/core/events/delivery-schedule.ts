// When an event that was not taken is delivered again. Pure. The gaps are those that Standard Webhooks gives as an
// example, and are longer than three days in all.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const GAPS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/**
 * @param attempts how many have failed so far
 * @returns null after the last one
 */
export function nextDeliveryAt(attempts: number, now: Date): Date | null {
  const gap = GAPS_MS[attempts - 1];
  return gap === undefined ? null : new Date(now.getTime() + gap);
}
