// How long `npm start` lives: until a signal, until whoever started it is gone, or until one of its parts ends. Parts are
// stopped in the reverse order of their start, and none outlives another.

export type Part = {
  name: string;
  /** Resolves when the part has ended, by itself or because it was stopped. */
  exited: Promise<unknown>;
  stop: () => Promise<void>;
};

const PARENT_CHECK_MS = 1_000;

/** Calls `stop` at the first request; further ones change nothing, because stopping has an end (see the graces). */
export function onStopRequest(stop: () => void): void {
  let requested = false;
  const request = () => {
    if (!requested) stop();
    requested = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);
  // npm ended by SIGTERM does not pass it on, and we would keep the ports without anyone knowing.
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) request();
  }, PARENT_CHECK_MS).unref();
}

/**
 * Runs what `start` brings up until it has to end. Throws what `start` throws, and an error that names the part which
 * ended by itself; returns when somebody asked to stop. In either case all parts have been stopped.
 */
export async function runUntilStopped(start: (add: (part: Part) => void) => Promise<void>): Promise<void> {
  const parts: Part[] = [];
  const ending = new Promise<void>((resolve, reject) => {
    onStopRequest(resolve);
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
