// The clock of a story. It starts at the same time for each story, and stands still until the story moves it.

import type { Clock } from '../../../src/merchant/platform/clock';

export type SimulatedClock = Omit<Clock, 'wait'> & {
  nowMs(): number;
  advance(seconds: number): void;
  reset(): void;
};

const BEGINNING_MS = Date.UTC(2030, 0, 15, 3, 0, 0);

export function createSimulatedClock(): SimulatedClock {
  let ms = BEGINNING_MS;
  return {
    now: () => new Date(ms),
    nowMs: () => ms,
    monotonicMs: () => ms,
    advance(seconds) {
      ms += seconds * 1_000;
    },
    reset() {
      ms = BEGINNING_MS;
    },
  };
}
