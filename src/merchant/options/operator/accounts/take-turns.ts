// Tasks that take turns: one runs, a few wait for it, and any more are refused. For work that would otherwise occupy the
// threads or the CPU that everything else in this process needs.

export type Turns = {
  /** Null, without running the task, if too many wait. @throws what the task throws */
  run<Result>(task: () => Promise<Result>): Promise<Result | null>;
};

export function takeTurns(mostWaiting: number): Turns {
  let last: Promise<unknown> = Promise.resolve();
  /** The one that runs, and those that wait. */
  let count = 0;
  return {
    async run(task) {
      if (count > mostWaiting) return null;
      count += 1;
      const mine = last.then(task);
      // The next one runs also if this one fails.
      last = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        count -= 1;
      }
    },
  };
}
