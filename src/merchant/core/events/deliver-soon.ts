// A change of status has written an event: the job that delivers it runs soon. Nobody waits for that, and where it
// fails, the same job runs every minute.

import type { Context } from '../../platform/context';
import { EVERY_MINUTE, type RecurringJob } from '../../platform/jobs';

export const DELIVER_EVENTS: RecurringJob = { name: 'deliver-events', crontab: EVERY_MINUTE, priority: 1 };

/** Returns at once. */
export function deliverSoon({ jobs, logger, clock }: Context): void {
  jobs.runSoon(DELIVER_EVENTS, clock.now()).catch((error: unknown) => {
    logger.warn({ event: 'event_delivery_not_enqueued', err: error });
  });
}
