// A notification arrives (§6): it is stored, then checked, and the sender is told the outcome in less time than the
// service waits (30 s, §6.3).

import type { NotificationOutcome } from '../../generated/prisma/client';
import type { Context } from '../context';
import { checkNotifications } from './check-notifications';
import { recordNotification, type IncomingNotification } from './inbox-store';

/** After this the sender is answered `queued`; the attempt goes on and its result is written all the same. */
const ANSWER_WITHIN_MS = 11_000;

/** @throws DatabaseError when the notification, or what became of it, could not be written */
export async function receiveNotification(
  context: Context,
  notification: IncomingNotification,
  answerWithinMs = ANSWER_WITHIN_MS,
): Promise<NotificationOutcome> {
  const id = await recordNotification(context, notification);
  const attempt = checkNotifications(context, { ...notification, ids: [id], attempts: 0 });
  const result = await within(answerWithinMs, attempt, (error) =>
    context.logger.error({
      event: 'late_attempt_failed',
      svc_uid: notification.svcUid,
      merchant_uid: notification.merchantUid,
      request_id: notification.requestId,
      err: error,
    }),
  );
  return result?.outcome ?? 'queued';
}

/**
 * The result, or null if it takes longer. A host timer, not the clock: it bounds how long a socket is held.
 * @param onLateError called when the work fails after null was returned
 */
async function within<T>(
  limitMs: number,
  work: Promise<T>,
  onLateError: (error: unknown) => void,
): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      work.catch(onLateError);
      resolve(null);
    }, limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
