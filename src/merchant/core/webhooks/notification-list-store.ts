// The list of notifications. Reading a page scans only a short range of an index, whatever the size of the table.

import { Prisma, type Notification, type NotificationOutcome } from '../../../generated/prisma/client';
import type { Context, GaugeColumns } from '../../platform/context';
import { ageOf, countOf } from '../../platform/gauge-store';
import { usualOutcomes } from './notification-outcomes';

export type NotificationFilter = {
  after?: bigint | undefined;
  svcUid?: string | undefined;
  merchantUid?: string | undefined;
  outcome?: NotificationOutcome | undefined;
  /** True: something is left to check. */
  open?: boolean | undefined;
  /** Time of receipt, both ends included. */
  from?: Date | undefined;
  to?: Date | undefined;
};

/**
 * The newest first. A time range also limits the range of ids, and rare outcomes have their own index, so a page is
 * always a short index scan.
 */
export async function findNotifications(
  { database }: Context,
  filter: NotificationFilter,
  take: number,
): Promise<Notification[]> {
  return database.$queryRaw<Notification[]>`
    select id, received_at as "receivedAt", generation::text as generation, svc_uid as "svcUid",
      merchant_uid as "merchantUid", claimed_status as "claimedStatus", source_address as "sourceAddress",
      request_id::text as "requestId", outcome::text as outcome, reason, attempts, judged_at as "judgedAt",
      next_attempt_at as "nextAttemptAt"
    from notifications where ${Prisma.join(conditionsOf(filter), ' and ')}
    order by id desc limit ${take}`;
}

function conditionsOf(filter: NotificationFilter): Prisma.Sql[] {
  const { after, svcUid, merchantUid, outcome, open, from, to } = filter;
  const conditions = [Prisma.sql`true`];
  if (after !== undefined) conditions.push(Prisma.sql`id < ${after}`);
  if (svcUid !== undefined) conditions.push(Prisma.sql`svc_uid = ${svcUid}`);
  if (merchantUid !== undefined) conditions.push(Prisma.sql`merchant_uid = ${merchantUid}`);
  if (outcome !== undefined) conditions.push(Prisma.sql`outcome = ${outcome}::notification_outcome`);
  // Repeats the condition of the partial index: PostgreSQL does not derive it from the outcome.
  if (outcome !== undefined && !usualOutcomes.has(outcome))
    conditions.push(Prisma.sql`outcome not in ${usualOutcomes.sql}`);
  if (open === true) conditions.push(Prisma.sql`next_attempt_at is not null`);
  if (open === false) conditions.push(Prisma.sql`next_attempt_at is null`);
  if (from) conditions.push(receivedSince(from));
  if (to) conditions.push(receivedUntil(to));
  return conditions;
}

/** The clocks of processes may differ by this much, so ids follow the time of receipt only to this precision. */
const CLOCKS_APART_MS = 3_600_000;

/**
 * A condition for notifications received at this time or later. Only every thousandth notification is in the index by
 * time, because each index makes an insert slower. The nearest one limits the range of ids to read.
 */
const receivedSince = (from: Date) => Prisma.sql`received_at >= ${from}::timestamptz
  and id >= coalesce((select id from notifications
    where id % 1000 = 0 and received_at < ${new Date(from.getTime() - CLOCKS_APART_MS)}::timestamptz
    order by received_at desc limit 1), 0)`;

/** The same for this time or earlier. */
export const receivedUntil = (to: Date) => Prisma.sql`received_at <= ${to}::timestamptz
  and id <= coalesce((select id from notifications
    where id % 1000 = 0 and received_at > ${new Date(to.getTime() + CLOCKS_APART_MS)}::timestamptz
    order by received_at limit 1), ${Number.MAX_SAFE_INTEGER}::bigint)`;

export function readNotificationGauges({ database }: Context, now: Date) {
  const unchecked = Prisma.sql`select received_at from notifications
    where next_attempt_at is not null and (outcome is null or outcome = 'queued') order by id limit 1`;
  return database.$queryRaw<GaugeColumns[]>`
    select ${countOf(Prisma.sql`from notifications where next_attempt_at is not null`)} as merchant_notifications_open,
      ${ageOf(unchecked, now)} as merchant_notifications_oldest_unchecked_age_seconds`;
}
