// Warnings that anybody may cause: a flood of requests must not fill the log.

import type { Context } from './context';

/** Minimum time before the log line is repeated. */
const QUIET_MS = 5 * 60_000;

/**
 * Calls `log` for the first one, and then at most every five minutes per process, with the number of `times` since the
 * last call.
 */
export function createQuietNotice({ clock }: Pick<Context, 'clock'>) {
  let quietUntilMs = -Infinity;
  let times = 0;
  return (log: (times: number) => void): void => {
    times += 1;
    if (clock.monotonicMs() < quietUntilMs) return;
    quietUntilMs = clock.monotonicMs() + QUIET_MS;
    log(times);
    times = 0;
  };
}
