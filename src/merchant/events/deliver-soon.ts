// A change of status has written an event: the job that delivers it is enqueued. Nobody waits for that, and where it
// fails, the same job runs every minute.

import { batched } from '../batch';
import type { Context } from '../context';

/** Returns at once. Calls that come at the same time enqueue one job. */
export function deliverSoon(context: Context): void {
  wake(context, null).catch((error: unknown) => {
    context.logger.warn({ event: 'event_delivery_not_enqueued', err: error });
  });
}

const wake = batched<null, void>(async ({ jobs, clock }, calls) => {
  await jobs.enqueue('deliver-events', {}, { key: 'deliver-events', runAt: clock.now() });
  return calls.map(() => undefined);
});
