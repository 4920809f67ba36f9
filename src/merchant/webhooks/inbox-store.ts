// The inbox: every notification that was let in is stored before anything else is done with it, and its row says what
// became of it.
//
//     stateDiagram-v2
//       [*] --> open: stored, next_attempt_at set
//       open --> settled: recorded, unchanged, test, or checked and false
//       open --> open: queued, unknown_order, unknown_payment, or behind its claim: claimed and retried at next_attempt_at
//       open --> settled: the retries are used up
//
// A row is open while `next_attempt_at` is set. A process that dies in between leaves it open, and it is found.

import type { NotificationOutcome } from '../../generated/prisma/client';
import { batched } from '../batch';
import type { Context } from '../context';
import type { Notification } from './parse-notification';

export type IncomingNotification = Notification & {
  sourceAddress: string;
  receivedAt: Date;
  /** Of the request that brought it (UUID), by which its log line is found; null where none is stored. */
  requestId: string | null;
};

/** Notifications of one payment and order that are not settled, to be checked by one attempt. */
export type OpenNotifications = IncomingNotification & {
  ids: readonly bigint[];
  /** The highest number of attempts among them so far. */
  attempts: number;
};

/** Longer than any attempt: the row of a process that dies while it checks is due after this, for any other. */
export const LEASE_MS = 60_000;

/** Stores one notification and returns its id. Calls that come at the same time are one statement. */
export const recordNotification = batched<IncomingNotification, bigint>(recordNotifications);

async function recordNotifications(
  { database }: Context,
  incoming: readonly IncomingNotification[],
): Promise<bigint[]> {
  const rows = await database.$prepared<{ id: string }>(STORE, [JSON.stringify(incoming.map(toRow))]);
  return rows.map(({ id }) => BigInt(id));
}

const STORE = {
  name: 'store-notifications',
  text: `
    with incoming as materialized (
      select nextval('notifications_id_seq') as id, i.*
      from jsonb_to_recordset($1::jsonb) as i (
        position int, received_at timestamptz, generation generation, svc_uid text, merchant_uid text,
        claimed_status text, source_address text, request_id uuid, next_attempt_at timestamptz)
    ), stored as (
      insert into notifications (id, received_at, generation, svc_uid, merchant_uid, claimed_status,
        source_address, request_id, next_attempt_at)
      select id, received_at, generation, svc_uid, merchant_uid, claimed_status, source_address, request_id,
        next_attempt_at
      from incoming
    )
    select id from incoming order by position`,
};

function toRow(notification: IncomingNotification, position: number) {
  return {
    position,
    received_at: notification.receivedAt,
    generation: notification.generation,
    svc_uid: notification.svcUid,
    merchant_uid: notification.merchantUid,
    claimed_status: notification.claimedStatus,
    source_address: notification.sourceAddress,
    request_id: notification.requestId,
    next_attempt_at: new Date(notification.receivedAt.getTime() + LEASE_MS),
  };
}

export type Settlement = {
  ids: readonly bigint[];
  outcome: NotificationOutcome;
  /** Why it is queued; null otherwise. */
  reason: string | null;
  /** Null when nothing is left to check. */
  nextAttemptAt: Date | null;
  /** Whether the service was asked: an attempt that was put off does not count. */
  wasAsked: boolean;
  now: Date;
};

/** Writes what an attempt has shown. Calls that come at the same time are one statement. */
export const settleNotifications = batched<Settlement, void>(writeSettlements);

async function writeSettlements({ database }: Context, settlements: readonly Settlement[]): Promise<void[]> {
  const rows = settlements.flatMap(({ ids, outcome, reason, nextAttemptAt, wasAsked, now }) => {
    const written = { outcome, reason, next_attempt_at: nextAttemptAt, asked: wasAsked ? 1 : 0, now };
    return ids.map((id) => ({ id: String(id), ...written }));
  });
  await database.$prepared(SETTLE, [JSON.stringify(rows)]);
  return settlements.map(() => undefined);
}

const SETTLE = {
  name: 'settle-notifications',
  text: `
    update notifications n set outcome = s.outcome, reason = s.reason, judged_at = s.now,
      next_attempt_at = s.next_attempt_at, attempts = n.attempts + s.asked
    from jsonb_to_recordset($1::jsonb) as s (
      id bigint, outcome notification_outcome, reason text, next_attempt_at timestamptz, asked int, now timestamptz)
    where n.id = s.id`,
};

/** One stored notification, settled or not. Returns null if there is none. */
export async function findNotification({ database }: Context, id: bigint): Promise<OpenNotifications | null> {
  const row = await database.notification.findUnique({ where: { id } });
  return row && { ...row, ids: [id] };
}
