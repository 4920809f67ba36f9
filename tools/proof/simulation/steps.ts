// The external effects of a simulated process, step by step: each statement and each call waits until its story runs it. So the
// story decides the order of the steps of all processes, and after which step a process is killed.

export type Step = {
  /** For the trace: the name of a statement, or method and path of a call. */
  name: string;
  /** Whether the step is only a pause. */
  isPause: boolean;
  /** Runs the step, and passes its result to the task that waits for it. */
  happen(): Promise<void>;
};

export type Steps = ReturnType<typeof createSteps>;

/** Ends the tasks of a killed process. Its later steps have no effect. */
class ProcessKilled extends Error {}

export function createSteps() {
  const waiting: Step[] = [];
  const abandoned = new Set<(error: Error) => void>();
  let isKilled = false;

  return {
    waiting,
    isKilled: () => isKilled,

    /** Pending steps do not run; results of completed steps are lost. */
    kill(): void {
      isKilled = true;
      waiting.length = 0;
      for (const abandon of abandoned) abandon(new ProcessKilled());
      abandoned.clear();
    },

    /** @param act the external effect */
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

    /** A pause of the process. In a killed process it never ends. */
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
