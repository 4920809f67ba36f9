// How far the shop's clock is ahead. A merchant outside production follows it: it asks again and again, and each question
// waits until there is something new. So both programs have one clock, also after a restart of either.

import { setTimeout as pause } from 'node:timers/promises';

export type ShopClock = {
  aheadMs(): number;
  /** Restores a saved value. */
  setAheadMs(aheadMs: number): void;
  /** Resolves when those who follow have learned it and ask again, or after a second. */
  moveTo(aheadMs: number): Promise<void>;
  /** Resolves when the clock is ahead by another time than this, when the signal is aborted, or after 20 s. */
  waitForOther(knownMs: number, signal: AbortSignal): Promise<void>;
  /** Whether a merchant follows. */
  isFollowed(): boolean;
  close(): void;
};

const MAX_WAIT_MS = 20_000;
const MAX_TELLING_MS = 1_000;
/** A follower asks again at once, so one that was last here longer ago is gone. */
const GONE_AFTER_MS = 3_000;

export function createShopClock(onChange: (aheadMs: number) => void): ShopClock {
  let ahead = 0;
  const waiting = new Set<() => void>();
  let lastAskedMs = -Infinity;
  let onAsked: () => void = () => undefined;

  function answerAll() {
    for (const answer of waiting) answer();
  }

  return {
    aheadMs: () => ahead,
    setAheadMs: (aheadMs) => {
      ahead = aheadMs;
    },
    async moveTo(aheadMs) {
      if (aheadMs === ahead) return;
      ahead = aheadMs;
      onChange(aheadMs);
      let missing = waiting.size;
      if (missing === 0) return;
      const told = new Promise<void>((resolve) => {
        onAsked = () => {
          missing -= 1;
          if (missing === 0) resolve();
        };
      });
      answerAll();
      await Promise.race([told, pause(MAX_TELLING_MS, undefined, { ref: false })]);
    },
    async waitForOther(knownMs, signal) {
      lastAskedMs = performance.now();
      if (knownMs !== ahead || signal.aborted) return;
      onAsked();
      await new Promise<void>((resolve) => {
        const answer = () => {
          clearTimeout(timer);
          waiting.delete(answer);
          signal.removeEventListener('abort', answer);
          lastAskedMs = performance.now();
          resolve();
        };
        const timer = setTimeout(answer, MAX_WAIT_MS).unref();
        waiting.add(answer);
        signal.addEventListener('abort', answer);
      });
    },
    isFollowed: () => waiting.size > 0 || performance.now() - lastAskedMs < GONE_AFTER_MS,
    close: answerAll,
  };
}
