// Time passes for both programs: first the sandbox's clock, which makes the payments that are due and notifies of them, then
// the merchant's, which does what is due since.

import type { Context } from '../context';
import type { RecurringJob } from '../jobs';
import type { TravellingClock } from './travelling-clock';

/** What may have become due, beside what a notification has set going. */
const DUE: readonly RecurringJob[] = [
  'retry-due-notifications',
  'recover-unresolved-attempts',
  'advance-subscriptions',
  'deliver-events',
];
/** The sandbox answers when all that became due has happened. */
const TRAVEL_LIMIT_MS = 20_000;

export type Travel = { kind: 'arrived' } | { kind: 'sandbox_unreachable' };

/** @throws DatabaseError where the jobs could not be asked for; they run within a minute all the same */
export async function travel(context: Context, clock: TravellingClock, until: Date): Promise<Travel> {
  const sandboxTime = await advanceSandbox(context, until);
  if (sandboxTime === null) return { kind: 'sandbox_unreachable' };
  clock.travelTo(new Date(Math.max(until.getTime(), sandboxTime.getTime())));
  for (const name of DUE) await context.jobs.runSoon(name, clock.now());
  return { kind: 'arrived' };
}

/** Returns the sandbox's time then; it may have been ahead of `until`. Null where it did not answer. */
async function advanceSandbox({ config }: Context, until: Date): Promise<Date | null> {
  const url = `${config.service.baseUrl}/_sandbox/clock`;
  try {
    const now = await readTime(await fetch(url, { signal: AbortSignal.timeout(TRAVEL_LIMIT_MS) }));
    const seconds = Math.ceil((until.getTime() - now.getTime()) / 1000);
    if (seconds <= 0) return now;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance_seconds: seconds }),
      signal: AbortSignal.timeout(TRAVEL_LIMIT_MS),
    });
    return await readTime(answer);
  } catch {
    return null;
  }
}

/** `{now}` in UNIX seconds. */
async function readTime(answer: Response): Promise<Date> {
  const { now } = (await answer.json()) as { now?: unknown };
  if (!answer.ok || typeof now !== 'number') throw new Error('the sandbox did not say its time');
  return new Date(now * 1000);
}
