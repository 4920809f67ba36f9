// The inbox: every notification that passes the source check is stored before anything else happens. Its row holds the
// outcome.
//
//     stateDiagram-v2
//       [*] --> open: stored, next_attempt_at set
//       open --> done: recorded, unchanged, test, or checked and false
//       open --> open: queued, unknown_order, unknown_payment, or behind what was reported: retried at next_attempt_at
//       open --> done: the retries are used up
//
// A row is open while `next_attempt_at` is set. If a process dies while it works on a row, the row stays open and is
// retried.

import { Prisma, type NotificationOutcome } from '../../../generated/prisma/client';
import { runTogether } from '../../platform/batch';
import type { Context } from '../../platform/context';
import {
  snapshotOf,
  toSnapshot,
  WITH_ORDER,
  type Snapshot,
  type SnapshotRow,
} from '../payments/payment-store';
import type { Notification } from './parse-notification';

export type IncomingNotification = Notification & {
  sourceAddress: string;
  receivedAt: Date;
  /** Id of the HTTP request that delivered it (UUID), to find its log line. */
  requestId: string | null;
};

/** Open notifications of one payment and order, checked by one attempt. */
export type OpenNotifications = IncomingNotification & {
  ids: readonly bigint[];
  /** The highest number of attempts of any of them so far. */
  attempts: number;
};

/**
 * Longer than any attempt. If a process dies during a check, its rows are due again after this time, for any process.
 */
export const LEASE_MS = 60_000;

export type Stored = {
  id: bigint;
  /** What was known about its payment and order at that moment. */
  snapshot: Snapshot;
};

type Incoming = IncomingNotification & { nextAttemptAt: Date };

/**
 * Stores one notification. The retry job checks it after `nextAttemptAt`, unless it has been checked by then.
 * @throws DatabaseError
 */
export function storeNotification(context: Context, notification: Incoming): Promise<Stored> {
  return runTogether(context, storeNotifications, notification);
}

async function storeNotifications(
  { database, realClock }: Context,
  incoming: readonly Incoming[],
): Promise<Stored[]> {
  const rows = await database.$statement<(SnapshotRow & { id: bigint })[]>`/* store-notifications */
    with reported as materialized (
      select nextval('notifications_id_seq') as id, i.*
      from jsonb_to_recordset(${JSON.stringify(incoming.map(toRow))}::jsonb) as i (
        position int, received_at timestamptz, generation generation, svc_uid text, merchant_uid text,
        claimed_status text, source_address text, request_id uuid, next_attempt_at timestamptz)
    ), stored as (
      insert into notifications (id, ${COLUMNS}) select id, ${COLUMNS} from reported
    )
    select reported.id, ${snapshotOf(realClock.now())}
    from reported ${WITH_ORDER}
    order by reported.position`;
  return rows.map((row) => ({ id: row.id, snapshot: toSnapshot(row) }));
}

const COLUMNS = Prisma.raw(
  'received_at, generation, svc_uid, merchant_uid, claimed_status, source_address, request_id, next_attempt_at',
);

function toRow(notification: Incoming, position: number) {
  return {
    position,
    received_at: notification.receivedAt,
    generation: notification.generation,
    svc_uid: notification.svcUid,
    merchant_uid: notification.merchantUid,
    claimed_status: notification.claimedStatus,
    source_address: notification.sourceAddress,
    request_id: notification.requestId,
    next_attempt_at: notification.nextAttemptAt,
  };
}

/** The result of one attempt, for the rows of its notifications. */
export type AttemptResult = {
  /** Ids of the notifications that the attempt checked. */
  ids: readonly bigint[];
  outcome: NotificationOutcome;
  /** Why it is queued; null otherwise. */
  reason: string | null;
  /** Null when nothing is left to check. */
  nextAttemptAt: Date | null;
  /** Whether the service was asked. An attempt that was put off does not count. */
  wasAsked: boolean;
  now: Date;
};

/** Writes the result of one attempt. @throws DatabaseError; its notifications then stay open */
export async function saveResult(context: Context, result: AttemptResult): Promise<void> {
  await runTogether(context, saveResults, result);
}

async function saveResults(
  { database }: Context,
  results: readonly AttemptResult[],
): Promise<readonly undefined[]> {
  const rows = results.flatMap(({ ids, wasAsked, ...result }) =>
    ids.map((id) => ({ ...result, id: String(id), asked: wasAsked ? 1 : 0 })),
  );
  await database.$statement`/* save-results */
    update notifications n set outcome = r.outcome, reason = r.reason, judged_at = r.now,
      next_attempt_at = r."nextAttemptAt", attempts = n.attempts + r.asked
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
      id bigint, outcome notification_outcome, reason text, "nextAttemptAt" timestamptz, asked int, now timestamptz)
    where n.id = r.id`;
  return results.map(() => undefined);
}

/** One stored notification, open or not. Returns null if there is none. */
export async function findNotification({ database }: Context, id: bigint): Promise<OpenNotifications | null> {
  const row = await database.notification.findUnique({ where: { id } });
  return row && { ...row, ids: [id] };
}
