// Warnings that anybody may cause: a flood of requests must not fill the log.

import type { Context } from './context';

/** Minimum time before the log line is repeated. */
const QUIET_MS = 5 * 60_000;

/** Logs the first one, and then at most one every five minutes per process, with the number of `times` since. */
export function createQuietNotice({ clock, logger }: Pick<Context, 'clock' | 'logger'>) {
  let quietUntilMs = -Infinity;
  let times = 0;
  return (line: { event: string; [field: string]: unknown }): void => {
    times += 1;
    if (clock.monotonicMs() < quietUntilMs) return;
    quietUntilMs = clock.monotonicMs() + QUIET_MS;
    logger.warn({ ...line, times });
    times = 0;
  };
}
