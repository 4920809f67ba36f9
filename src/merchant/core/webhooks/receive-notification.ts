// A notification arrives (§6): it is stored, then checked, and the sender is told the outcome in less time than the
// service waits (30 s, §6.3).

import type { NotificationOutcome } from '../../../generated/prisma/client';
import { within } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { checkNotifications } from './check-notifications';
import { storeNotification, type IncomingNotification } from './inbox-store';

/** After this the sender is answered `queued`; the attempt goes on and its result is written all the same. */
const ANSWER_WITHIN_MS = 11_000;

/**
 * A notification that is stored is never answered 503: where anything after that fails, its row stays open, and is found
 * and checked again (retry-notifications.ts).
 * @throws DatabaseError when the notification could not be stored
 */
export async function receiveNotification(
  context: Context,
  notification: IncomingNotification,
  answerWithinMs = ANSWER_WITHIN_MS,
): Promise<NotificationOutcome> {
  const { id, snapshot } = await storeNotification(context, notification);
  const { svcUid, merchantUid, requestId } = notification;
  const open = { ...notification, ids: [id], attempts: 0 };
  const attempt = checkNotifications(context, open, snapshot).catch((error: unknown) => {
    context.logger.error({
      event: 'notification_left_open',
      err: error,
      svc_uid: svcUid,
      merchant_uid: merchantUid,
      request_id: requestId,
    });
    return null;
  });
  const result = await within(answerWithinMs, attempt);
  return result?.outcome ?? 'queued';
}
