// Timers that a test lets pass when it wants to, so that no test waits for a time limit.

export type NotedTimer = {
  ms: number;
  /** Does what was to be done after so long. */
  pass: () => void;
};

/** Each timer that is set from now on, in their order. It ends with `jest.restoreAllMocks()`. */
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
