// The lifetime of `npm start`: it ends at a signal, when its parent process ends, or when one of its parts ends. The parts are
// stopped in reverse order.

export type Part = {
  name: string;
  /** Resolves when the part has ended, either stopped or on its own. */
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
  // npm does not forward SIGTERM: without this check the programs would keep their ports after npm has ended.
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) request();
  }, PARENT_CHECK_MS).unref();
}

/**
 * Does work beside the parts that it adds, then stops all parts. Returns null if a stop was requested before its end. If the work
 * throws or a part ends by itself, it stops all parts and throws.
 */
export async function runToEnd<Result>(
  work: (add: (part: Part) => void) => Promise<Result>,
  onStopping: () => void = () => undefined,
): Promise<Result | null> {
  const parts: Part[] = [];
  const ending = new Promise<Result | null>((resolve, reject) => {
    onStopRequest(() => {
      onStopping();
      resolve(null);
    });
    const add = (part: Part) => {
      parts.push(part);
      void part.exited.then(() =>
        reject(new Error(`The ${part.name} has ended, so everything else is stopped.`)),
      );
    };
    work(add).then(resolve, reject);
  });
  try {
    return await ending;
  } finally {
    for (const part of parts.reverse()) await part.stop();
  }
}
