// Notifications in the database: stored before anything else is done with them, marked with what came of them.

import type { Database } from '../database';
import { ABANDONED_AFTER_MS } from './check-plan';
import type { Claim, Snapshot } from './judge-payment';
import type { Generation, IncomingNotification } from './notification';
import { snapshotColumns, toSnapshot, type SnapshotRow } from './payment-store';

export type NotificationStore = ReturnType<typeof createNotificationStore>;

export type RecordedNotification = { id: bigint; snapshot: Snapshot };

/** What is known about a pair of ids that still has to be checked. */
export type OpenNotifications = Claim & {
  ids: bigint[];
  generation: Generation;
  claimedStatus: string | null;
  sourceAddress: string;
  /** Of the oldest. */
  receivedAt: Date;
  /** Of the most often looked at. */
  checks: number;
};

export function createNotificationStore(database: Database) {
  return {
    /** Stores notifications and reads what is known about the payments they name, in one statement. */
    async recordNotifications(incoming: readonly IncomingNotification[]): Promise<RecordedNotification[]> {
      const rows = await database.$queryRaw<(SnapshotRow & { id: bigint })[]>`
        with claimed as materialized (
          select nextval('notifications_id_seq') as id, i.*
          from jsonb_to_recordset(${JSON.stringify(incoming.map(toRow))}::jsonb) as i (
            position int, received_at timestamptz, generation generation, svc_uid text, merchant_uid text,
            claimed_status text, source_address text, next_check_at timestamptz)
        ), stored as (
          insert into notifications (id, received_at, generation, svc_uid, merchant_uid, claimed_status,
            source_address, next_check_at)
          select id, received_at, generation, svc_uid, merchant_uid, claimed_status, source_address, next_check_at
          from claimed
        )
        select claimed.id, ${snapshotColumns}
        from claimed left join orders o on o.merchant_uid = claimed.merchant_uid
        order by claimed.position`;
      return rows.map((row) => ({ id: row.id, snapshot: toSnapshot(row) }));
    },

    /** The notifications of one payment and order that are not settled; null when none is left. */
    async findOpen({ svcUid, merchantUid }: Claim): Promise<OpenNotifications | null> {
      const rows = await database.notification.findMany({
        where: { svcUid, merchantUid, nextCheckAt: { not: null } },
        orderBy: { id: 'asc' },
        take: 1000,
      });
      const [oldest] = rows;
      const newest = rows.at(-1);
      if (!oldest || !newest) return null;
      return {
        svcUid,
        merchantUid,
        ids: rows.map((row) => row.id),
        generation: newest.generation,
        claimedStatus: newest.claimedStatus,
        sourceAddress: newest.sourceAddress,
        receivedAt: oldest.receivedAt,
        checks: Math.max(...rows.map((row) => row.checks)),
      };
    },

    /** Pairs of ids whose next look is overdue by a while, because a process died or a job was not planned. */
    async findOverdue(now: Date, limit: number): Promise<Claim[]> {
      return database.$queryRaw<Claim[]>`
        select svc_uid as "svcUid", merchant_uid as "merchantUid" from notifications
        where next_check_at <= ${now}
        group by svc_uid, merchant_uid
        order by min(next_check_at)
        limit ${limit}`;
    },
  };
}

function toRow(notification: IncomingNotification, position: number) {
  return {
    position,
    received_at: notification.receivedAt,
    generation: notification.generation,
    svc_uid: notification.svcUid,
    merchant_uid: notification.merchantUid,
    claimed_status: notification.claimedStatus,
    source_address: notification.sourceAddress,
    next_check_at: new Date(notification.receivedAt.getTime() + ABANDONED_AFTER_MS),
  };
}
