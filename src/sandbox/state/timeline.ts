// Future events: schedules, resends and delayed notifications. They run at their time or when the clock is advanced, in the
// order of their times; each ends before a later one begins.

import { firstIndex } from './binary-search';
import type { SandboxClock } from './clock';

export type Timeline = {
  /** Runs at this time of the sandbox's clock. An event in the past runs as soon as possible. */
  at(timeMs: number, run: () => Promise<void>): void;
  /** Runs after this time. If the clock is put back meanwhile, it runs as much earlier. */
  after(delayMs: number, run: () => Promise<void>): void;
  /** The clock is about to be put back by this: what waits for a delay, not for a date, must not wait longer. */
  putBack(ms: number): void;
  /** Moves the clock. Resolves when all due events have ended, deliveries included. */
  advance(seconds: number): Promise<void>;
  /** The time of the next event; undefined if there is none. */
  nextMs(): number | undefined;
  clear(): void;
  close(): void;
};

type Event = { timeMs: number; run: () => Promise<void>; isDelay: boolean };

const MAX_TIMER_MS = 3_600_000;

/** `onError` is called with the error of an event that failed; the other events still run. */
export function createTimeline(clock: SandboxClock, onError: (error: unknown) => void): Timeline {
  let events: Event[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let isClosed = false;

  function setTimer() {
    clearTimeout(timer);
    const next = events[0];
    if (!next || isClosed) return;
    const waitMs = Math.min(Math.max(next.timeMs - clock.nowMs(), 0), MAX_TIMER_MS);
    timer = setTimeout(() => void inTurn(() => runUntil(clock.nowMs())).finally(setTimer), waitMs);
    timer.unref();
  }

  // One run at a time: the timer and an advance must not overtake each other.
  function inTurn(work: () => Promise<void>): Promise<void> {
    running = running.then(work, work);
    return running;
  }

  async function runUntil(limitMs: number) {
    for (let first = events[0]; first && first.timeMs <= limitMs; first = events[0]) {
      const { timeMs } = first;
      clock.moveTo(timeMs);
      const due = events.filter((event) => event.timeMs === timeMs);
      events = events.filter((event) => event.timeMs !== timeMs);
      await Promise.all(due.map((event) => event.run().catch(onError)));
    }
  }

  function add(event: Event) {
    const { timeMs } = event;
    const position = firstIndex(events.length, (index) => (events[index]?.timeMs ?? Infinity) > timeMs);
    events.splice(position, 0, event);
    if (position === 0) setTimer();
  }

  return {
    at: (timeMs, run) => add({ timeMs, run, isDelay: false }),
    after: (delayMs, run) => add({ timeMs: clock.nowMs() + delayMs, run, isDelay: true }),
    putBack(ms) {
      const moved = events.map((event) => (event.isDelay ? { ...event, timeMs: event.timeMs - ms } : event));
      events = moved.toSorted((one, other) => one.timeMs - other.timeMs);
    },
    async advance(seconds) {
      await inTurn(async () => {
        const target = clock.nowMs() + seconds * 1000;
        await runUntil(target);
        clock.moveTo(target);
      });
      setTimer();
    },
    nextMs: () => events[0]?.timeMs,
    clear() {
      events = [];
      setTimer();
    },
    close() {
      isClosed = true;
      setTimer();
    },
  };
}
