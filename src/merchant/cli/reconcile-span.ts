// The period given by `reconcile --from --to`. Pure.

import { beginOfDay, DAY_MS } from '../platform/clock';
import { UsageError } from './command';

type RequestedSpan = { from: Date; to: Date | null };

/**
 * `--to` with a date only includes that day. Returns undefined if neither option is given.
 * @throws UsageError
 */
export function readSpan(from: string | undefined, to: string | undefined): RequestedSpan | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined) throw new UsageError('--to needs a --from.');
  const span = {
    from: readTime('--from', from, 0),
    to: to === undefined ? null : readTime('--to', to, DAY_MS),
  };
  if (span.to !== null && span.from >= span.to) throw new UsageError('--from has to be before --to.');
  return span;
}

/**
 * A date only is a day in Korea, the time zone of the service (§2.1).
 * @param dayMs is added to a date only
 */
function readTime(name: string, text: string, dayMs: number): Date {
  if (/^\d{9,11}$/.test(text)) return new Date(Number(text) * 1000);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = isDay ? beginOfDay(text).getTime() + dayMs : isTime ? Date.parse(text) : NaN;
  if (Number.isNaN(time))
    throw new UsageError(
      `${name} "${text}" is not a time: write 2026-11-21, 2026-11-21T09:00:00+09:00 or UNIX seconds.`,
    );
  return new Date(time);
}
