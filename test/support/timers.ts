// Timers that a test fires itself, so that no test waits for a time-out.

export type NotedTimer = {
  ms: number;
  /** Runs the callback. */
  pass: () => void;
};

/** Records each timer set from now on, in order, until `jest.restoreAllMocks()`. */
export function noteTimers(): NotedTimer[] {
  const timers: NotedTimer[] = [];
  const { setTimeout } = globalThis;
  const noted = (act: (...values: unknown[]) => void, ms: number, ...values: unknown[]) => {
    timers.push({ ms, pass: () => act(...values) });
    return setTimeout(act, ms, ...values);
  };
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(noted as typeof setTimeout);
  return timers;
}
