// A clock that can be moved forward: the demo shop shows in a minute what a subscription does in a month. It replaces
// the merchant's clock only if the sandbox is the payment service.

import { EVERY_MINUTE, type Clock } from '../../platform/clock';
import type { Context } from '../../platform/context';
import type { JobKind, RecurringJob } from '../../platform/jobs';

export type TravellingClock = Clock & {
  /** Moves the clock forward to this time. It never moves back. */
  travelTo(time: Date): void;
};

export function createTravellingClock(clock: Clock): TravellingClock {
  let aheadMs = 0;
  return {
    now: () => new Date(clock.now().getTime() + aheadMs),
    monotonicMs: () => clock.monotonicMs(),
    wait: (ms, options) => clock.wait(ms, options),
    travelTo(time) {
      aheadMs = Math.max(aheadMs, time.getTime() - clock.now().getTime());
    },
  };
}

export function isTravelling(clock: Clock): clock is TravellingClock {
  return 'travelTo' in clock;
}

/** The sandbox answers only after everything that became due has happened. */
const TRAVEL_LIMIT_MS = 20_000;

type Travel = { kind: 'arrived' } | { kind: 'sandbox_unreachable' };

/**
 * Moves both programs forward: first the merchant's clock, so that notifications on the way are dated after the jump;
 * then the sandbox's, which makes the due payments and sends their notifications. Then the merchant does what is due.
 * @throws DatabaseError if the jobs could not be enqueued; they still run within a minute
 */
export async function travel(context: Context, clock: TravellingClock, until: Date): Promise<Travel> {
  const url = `${context.config.service.baseUrl}/_sandbox/clock`;
  try {
    const sandboxTime = await askForTime(url, {});
    clock.travelTo(new Date(Math.max(until.getTime(), sandboxTime.getTime())));
    const seconds = Math.ceil((until.getTime() - sandboxTime.getTime()) / 1000);
    if (seconds > 0) await advance(url, seconds);
  } catch {
    return { kind: 'sandbox_unreachable' };
  }
  // What may have become due, besides what a notification has started.
  const due = context.features.flatMap(({ jobs = [] }) => jobs).filter(isEveryMinute);
  for (const job of due) await context.jobs.runSoon(job, clock.now());
  return { kind: 'arrived' };
}

const isEveryMinute = <Kind extends JobKind>(job: Kind): job is Kind & RecurringJob =>
  job.crontab === EVERY_MINUTE;

const advance = (url: string, seconds: number): Promise<Date> =>
  askForTime(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance_seconds: seconds }),
  });

/** The sandbox answers `{now}`, in UNIX seconds. */
async function askForTime(url: string, request: RequestInit): Promise<Date> {
  const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(TRAVEL_LIMIT_MS) });
  const { now } = (await answer.json()) as { now?: unknown };
  if (!answer.ok || typeof now !== 'number') throw new Error('the sandbox did not say its time');
  return new Date(now * 1000);
}
