// What is still to happen: schedules, resends, held notifications. Time passes by itself (one timer for the
// next event) or is advanced by hand; either way events run in time order and each ends before a later one.
import type { SandboxClock } from './clock';

export type Timeline = {
  /** Runs at this instant of the sandbox's clock; an instant already past means as soon as possible. */
  at(timeMs: number, run: () => Promise<void>): void;
  /** Moves the clock; everything due by then has happened, deliveries answered, when this resolves. */
  advance(seconds: number): Promise<void>;
  nextMs(): number | undefined;
  clear(): void;
  close(): void;
};

type Event = { timeMs: number; run: () => Promise<void> };

const LONGEST_TIMER_MS = 3_600_000;

/** `onError` hears of an event that failed; the others go on. */
export function createTimeline(clock: SandboxClock, onError: (error: unknown) => void): Timeline {
  let events: Event[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let closed = false;

  function arm() {
    clearTimeout(timer);
    const next = events[0];
    if (!next || closed) return;
    const waitMs = Math.min(Math.max(next.timeMs - clock.nowMs(), 0), LONGEST_TIMER_MS);
    timer = setTimeout(() => void inTurn(() => runUntil(clock.nowMs())).finally(arm), waitMs);
    timer.unref();
  }

  // One run at a time: the timer and an advance must not overtake each other.
  function inTurn(work: () => Promise<void>): Promise<void> {
    running = running.then(work, work);
    return running;
  }

  async function runUntil(limitMs: number) {
    for (let first = events[0]; first && first.timeMs <= limitMs; first = events[0]) {
      const instant = first.timeMs;
      clock.moveTo(instant);
      const due = events.filter((event) => event.timeMs === instant);
      events = events.filter((event) => event.timeMs !== instant);
      await Promise.all(due.map((event) => event.run().catch(onError)));
    }
  }

  return {
    at(timeMs, run) {
      const event = { timeMs, run };
      events.splice(firstLaterThan(events, timeMs), 0, event);
      if (events[0] === event) arm();
    },
    async advance(seconds) {
      await inTurn(async () => {
        const target = clock.nowMs() + seconds * 1000;
        await runUntil(target);
        clock.moveTo(target);
      });
      arm();
    },
    nextMs: () => events[0]?.timeMs,
    clear() {
      events = [];
      arm();
    },
    close() {
      closed = true;
      arm();
    },
  };
}

function firstLaterThan(events: Event[], timeMs: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.timeMs ?? Infinity) <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
