// What a simulated process does to the outside, step by step: each statement and each call waits until its story lets it
// happen. So the story decides in which order the steps of all processes happen, and after which one a process is killed.

export type Step = {
  /** For the trace: a statement's name, or method and path of a call. */
  name: string;
  /** Whether nothing happens in it but time. */
  isPause: boolean;
  /** Lets it happen, and gives its result to whom it belongs. */
  happen(): Promise<void>;
};

export type Steps = ReturnType<typeof createSteps>;

/** Ends what a killed process was doing. Nothing that it does after this reaches the outside. */
class ProcessKilled extends Error {}

export function createSteps() {
  const waiting: Step[] = [];
  const abandoned = new Set<(error: Error) => void>();
  let isKilled = false;

  return {
    waiting,
    isKilled: () => isKilled,

    /** What waits does not happen; of what has happened the result is lost. */
    kill(): void {
      isKilled = true;
      waiting.length = 0;
      for (const abandon of abandoned) abandon(new ProcessKilled());
      abandoned.clear();
    },

    /** @param act what happens outside */
    take<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
      return new Promise((resolve, reject) => {
        if (isKilled) return reject(new ProcessKilled());
        const step: Step = {
          name,
          isPause: false,
          async happen() {
            waiting.splice(waiting.indexOf(step), 1);
            await act().then(
              (result) => !isKilled && resolve(result),
              (error: Error) => !isKilled && reject(error),
            );
            abandoned.delete(reject);
          },
        };
        waiting.push(step);
        abandoned.add(reject);
      });
    },

    /** A pause of the process itself. In one that was killed it never ends. */
    pause(): Promise<void> {
      return new Promise((resolve) => {
        if (isKilled) return;
        const step: Step = {
          name: 'pause',
          isPause: true,
          happen() {
            waiting.splice(waiting.indexOf(step), 1);
            resolve();
            return Promise.resolve();
          },
        };
        waiting.push(step);
      });
    },
  };
}
