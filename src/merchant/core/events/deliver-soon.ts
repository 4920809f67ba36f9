// A change of status has written an event: the job that delivers it runs soon. Nobody waits for that, and where it
// fails, the same job runs every minute.

import { batched } from '../../platform/batch';
import type { Context } from '../../platform/context';
import { EVERY_MINUTE, type RecurringJob } from '../../platform/jobs';

export const DELIVER_EVENTS: RecurringJob = { name: 'deliver-events', crontab: EVERY_MINUTE, priority: 1 };

/** Returns at once. Calls that come at the same time are one run. */
export function deliverSoon(context: Context): void {
  wake(context, null).catch((error: unknown) => {
    context.logger.warn({ event: 'event_delivery_not_enqueued', err: error });
  });
}

const wake = batched<null, void>(async ({ jobs, clock }, calls) => {
  await jobs.runSoon(DELIVER_EVENTS, clock.now());
  return calls.map(() => undefined);
});
