// A notification arrives (§6): it is stored, its payment is looked at, and the sender is told what came of it, in less
// time than the service waits (30 s, §6.3).

import type { IncomingNotification, NotificationOutcome } from './notification';
import type { RecordedNotification } from './notification-store';
import type { ScheduleCheck } from './check-again';
import type { SyncPayment, SyncResult } from './sync-payment';

/** After this the sender is answered `queued`; the look goes on and its result is written all the same. */
const ANSWER_WITHIN_MS = 11_000;

type Dependencies = {
  recordNotification: (notification: IncomingNotification) => Promise<RecordedNotification>;
  syncPayment: SyncPayment;
  scheduleCheck: ScheduleCheck;
  /** Called when a look fails after its sender has been answered. */
  onLateFault: (error: unknown) => void;
  answerWithinMs?: number;
};

/** @throws DatabaseFault when the notification, or what came of it, could not be noted */
export type ReceiveNotification = (notification: IncomingNotification) => Promise<NotificationOutcome>;

export function createReceiveNotification(dependencies: Dependencies): ReceiveNotification {
  const {
    recordNotification,
    syncPayment,
    scheduleCheck,
    onLateFault,
    answerWithinMs = ANSWER_WITHIN_MS,
  } = dependencies;

  return async (notification) => {
    const recorded = await recordNotification(notification);
    const look = syncPayment({
      ...notification,
      snapshot: recorded.snapshot,
      notifications: {
        ids: [recorded.id],
        claimedStatus: notification.claimedStatus,
        sourceAddress: notification.sourceAddress,
        receivedAt: notification.receivedAt,
        checks: 0,
      },
    }).then(planNextLook);
    return (await within(answerWithinMs, look))?.outcome ?? 'queued';

    async function planNextLook(result: SyncResult): Promise<SyncResult> {
      if (result.nextCheckAt) await scheduleCheck(notification, result.nextCheckAt);
      return result;
    }
  };

  /** The result, or null when it takes longer. A host timer, not the clock: it bounds how long a socket is held. */
  async function within<T>(limitMs: number, work: Promise<T>): Promise<T | null> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<null>((resolve) => {
      timer = setTimeout(() => {
        work.catch(onLateFault);
        resolve(null);
      }, limitMs);
    });
    try {
      return await Promise.race([work, limit]);
    } finally {
      clearTimeout(timer);
    }
  }
}
