// Receives a notification (§6) in three steps: store it; check it, which is to fetch its payment, judge it and write the
// verdict; answer with the outcome in less time than the service waits (30 s, §6.3).

import type { NotificationOutcome } from '../../../generated/prisma/client';
import { within } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { checkNotifications } from './check-notifications';
import { LEASE_MS, storeNotification, type IncomingNotification } from './inbox-store';
import { enqueueRetry } from './retry-schedule';

/** Under overload, when the rest of what has arrived is likely to be checked. */
const PUT_OFF_MS = 5_000;

type ReceiveOptions = {
  /** False: it is only stored, and the retry job checks it a few seconds later. */
  isCheckedNow?: boolean;
  /** After this time the answer is `queued`. The attempt continues and still writes its result. */
  answerWithinMs?: number;
};

/**
 * A stored notification is never answered 503. If a later step fails, its row stays open and is retried
 * (retry-notifications.ts).
 * @throws DatabaseError when the notification could not be stored
 */
export async function receiveNotification(
  context: Context,
  notification: IncomingNotification,
  { isCheckedNow = true, answerWithinMs = 11_000 }: ReceiveOptions = {},
): Promise<NotificationOutcome> {
  const dueInMs = isCheckedNow ? LEASE_MS : PUT_OFF_MS;
  const nextAttemptAt = new Date(context.realClock.now().getTime() + dueInMs);
  const { id, snapshot } = await storeNotification(context, { ...notification, nextAttemptAt });

  const checked = isCheckedNow
    ? checkNotifications(context, { ...notification, ids: [id], attempts: 0 }, snapshot)
    : enqueueRetry(context, nextAttemptAt).then(() => null);
  const attempt = checked.catch((error: unknown) => leaveOpen(context, notification, error));

  const result = await within(answerWithinMs, attempt);
  return result?.outcome ?? 'queued';
}

function leaveOpen(
  { logger }: Context,
  { svcUid, merchantUid, requestId }: IncomingNotification,
  error: unknown,
): null {
  const ids = { svc_uid: svcUid, merchant_uid: merchantUid, request_id: requestId };
  logger.error({ event: 'notification_left_open', err: error, ...ids });
  return null;
}
