// Runs a recurring job early, debounced, in this process without a row in the queue of jobs: under load that
// row would cost more than what the job does.

import type { Logger } from './logger';

/** Calls within this time are one run. */
const COLLECT_MS = 50;

/** @param runJob what fails is run again at its next time */
export function createSoon(runJob: (name: string) => Promise<void>, logger: Logger) {
  const asked = new Map<string, NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();

  function run(name: string): void {
    asked.delete(name);
    const running = runJob(name)
      .catch((error: unknown) => logger.warn({ event: 'jobs', detail: `${name} failed`, err: error }))
      .finally(() => underWay.delete(running));
    underWay.add(running);
  }

  return {
    /** Returns at once. */
    ask(name: string): void {
      if (!asked.has(name)) asked.set(name, setTimeout(run, COLLECT_MS, name));
    },

    /** Waits for what runs, and returns what was asked for and is not begun any more. */
    async stop(): Promise<string[]> {
      const left = [...asked.keys()];
      for (const timer of asked.values()) clearTimeout(timer);
      asked.clear();
      await Promise.all(underWay);
      return left;
    },
  };
}
