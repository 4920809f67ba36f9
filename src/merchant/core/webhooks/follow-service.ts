// What one process learns about the payment service: that it asks for a pause (429), which the other processes keep as
// well, and that it answers again after an outage. Notifications that wait for it are then checked at once.

import type { Context } from '../../platform/context';
import { savePause } from '../attempts/service-pause-store';
import { enqueueRetry } from './retry-schedule';

export function followService(context: Context): void {
  const { service, realClock, logger } = context;
  service.listen({
    onPause(channels, until) {
      logger.warn({ event: 'service_asks_for_pause', lines: channels, until });
      savePause(context, channels, until).catch(notShared);
    },
    onAnswersAgain(generation) {
      logger.info({ event: 'service_answers_again', generation });
      enqueueRetry(context, realClock.now()).catch(notShared);
    },
  });

  /** This process uses what it learned in any case; the others find out for themselves. */
  function notShared(error: unknown): void {
    logger.warn({ event: 'service_state_not_shared', err: error });
  }
}
