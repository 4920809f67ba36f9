// The clock of shop and sandbox while the shop is seeded: behind the real time, from day to day, never ahead of it.

import type { CallAnswer } from '../sandbox/stories/scene';

const DAY_SECONDS = 86_400;
const SEOUL_SECONDS = 9 * 3600;

type CallSandbox = (
  path: string,
  body?: object,
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE',
) => Promise<CallAnswer>;

export function createSeedClock(callSandbox: CallSandbox) {
  /** The sandbox's time and the real time, in UNIX seconds. */
  async function read(): Promise<{ shown: number; real: number }> {
    const { body } = await callSandbox('/clock/shop', undefined, 'GET');
    const { now, ahead_ms: aheadMs } = body as { now: number; ahead_ms: number };
    return { shown: now, real: Math.floor(now - aheadMs / 1000) };
  }

  return {
    /** To the beginning of the first of so many days in Seoul, of which today is the last. */
    async putBack(days: number): Promise<void> {
      const { real } = await read();
      const begin = midnightBefore(real) - (days - 1) * DAY_SECONDS;
      await callSandbox('/clock', { ahead_seconds: begin - real }, 'PUT');
    },

    /** Forward to this hour in Seoul. The hours of today are spread over the part of it that has passed. */
    async moveTo(daysAgo: number, hour: number): Promise<void> {
      const { shown, real } = await read();
      const midnight = midnightBefore(real);
      const passed = daysAgo === 0 ? real - midnight : DAY_SECONDS;
      const time = Math.floor(midnight - daysAgo * DAY_SECONDS + (passed * hour) / 24);
      if (time > shown) await callSandbox('/clock', { advance_seconds: time - shown });
    },

    async reset(): Promise<void> {
      await callSandbox('/clock', undefined, 'DELETE');
    },
  };
}

function midnightBefore(seconds: number): number {
  return seconds - ((seconds + SEOUL_SECONDS) % DAY_SECONDS);
}
