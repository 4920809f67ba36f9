// How long `npm start` runs: until a signal, until the process that started it is gone, or until one of its parts ends.
// The parts are stopped in the reverse order of their start.

export type Part = {
  name: string;
  /** Resolves when the part has ended, whether it was stopped or ended by itself. */
  exited: Promise<unknown>;
  stop: () => Promise<void>;
};

const PARENT_CHECK_MS = 1_000;

/** Calls `stop` once, at the first signal. Later signals are ignored, because every part has a deadline for its end. */
export function onStopRequest(stop: () => void): void {
  let requested = false;
  const request = () => {
    if (!requested) stop();
    requested = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);
  // npm does not pass a SIGTERM on: without this check the programs would keep their ports after npm has ended.
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) request();
  }, PARENT_CHECK_MS).unref();
}

/**
 * Runs the parts that `start` adds, and returns after a request to stop, at which `onStopping` is called. Throws what `start` throws, or an error that
 * names the part that ended by itself. All parts have been stopped when it returns or throws.
 */
export async function runUntilStopped(
  start: (add: (part: Part) => void) => Promise<void>,
  onStopping: () => void = () => undefined,
): Promise<void> {
  const parts: Part[] = [];
  const ending = new Promise<void>((resolve, reject) => {
    onStopRequest(() => {
      onStopping();
      resolve();
    });
    const add = (part: Part) => {
      parts.push(part);
      void part.exited.then(() =>
        reject(new Error(`The ${part.name} has ended: everything else is stopped.`)),
      );
    };
    start(add).catch(reject);
  });
  try {
    await ending;
  } finally {
    for (const part of parts.reverse()) await part.stop();
  }
}
