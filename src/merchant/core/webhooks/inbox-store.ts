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

import { batched } from '../../platform/batch';
import type { Context } from '../../platform/context';
import { SETTLE_FROM, settlementRows, toSettlementRows, type Settlement } from '../payments/settlement';
import { snapshotOf, toSnapshot, type Snapshot, type SnapshotRow } from '../payments/snapshot-store';
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

export type Recorded = {
  id: bigint;
  /** What was known about its claim at that moment. */
  snapshot: Snapshot;
};

/** Stores one notification. Calls that come at the same time are one statement. */
export const recordNotification = batched<IncomingNotification, Recorded>(recordNotifications);

async function recordNotifications(
  { database, clock }: Context,
  incoming: readonly IncomingNotification[],
): Promise<Recorded[]> {
  const values = [JSON.stringify(incoming.map(toRow)), clock.now()];
  const rows = await database.$prepared<SnapshotRow & { id: string }>(STORE, values);
  return rows.map((row) => ({ id: BigInt(row.id), snapshot: toSnapshot(row) }));
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
    select claimed.id, ${snapshotOf('incoming', '$2')} order by claimed.position`,
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

/** Writes what an attempt has shown. Calls that come at the same time are one statement. */
export const settleNotifications = batched<Settlement, void>(writeSettlements);

async function writeSettlements({ database }: Context, settlements: readonly Settlement[]): Promise<void[]> {
  await database.$prepared(SETTLE, [JSON.stringify(settlements.flatMap(toSettlementRows))]);
  return settlements.map(() => undefined);
}

const SETTLE = {
  name: 'settle-notifications',
  text: `${SETTLE_FROM} ${settlementRows('$1')} where n.id = s.id`,
};

/** One stored notification, settled or not. Returns null if there is none. */
export async function findNotification({ database }: Context, id: bigint): Promise<OpenNotifications | null> {
  const row = await database.notification.findUnique({ where: { id } });
  return row && { ...row, ids: [id] };
}
