// Job `delete-old-rows`: once a day, deletes rows older than `KEEP_NOTIFICATIONS_DAYS` that nothing needs, and the rows
// of jobs that will not run again. Each statement deletes or blanks a few rows, so that no lock is held for long, and uses
// an index. Open rows are never touched, however old they are.

import { refundStatuses } from '../../core/attempts/attempt-statuses';
import { NO_DIGITS } from '../../core/billing-keys/issuance-store';
import { receivedUntil } from '../../core/webhooks/notification-list-store';
import { DAY_MS } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { deleteDeadJobs } from '../../platform/job-store';
import { settingsOf } from '../../platform/settings';
import { erasureSettings } from './settings';

/** Rows per statement. */
const STEP = 1000;

const STEPS = {
  notifications: deleteNotifications,
  discrepancies: deleteDiscrepancies,
  declined_cards: blankDeclinedCards,
  operator_actions: deleteOperatorActions,
} as const;

/**
 * Deletes in small steps until nothing is left. Several processes may run it: each row is taken by one of them.
 * @param stopping is aborted when this process stops; the next run deletes the rest
 * @throws DatabaseError; the job then runs again
 */
export async function deleteOldRows(context: Context, stopping: AbortSignal): Promise<void> {
  const { clock, config, logger } = context;
  const before = new Date(
    clock.now().getTime() - settingsOf(config, erasureSettings).KEEP_NOTIFICATIONS_DAYS * DAY_MS,
  );
  const deleted: Record<string, number> = {};
  for (const [name, step] of Object.entries(STEPS)) {
    let count = STEP;
    while (count > 0 && !stopping.aborted) {
      count = await step(context, before);
      deleted[name] = (deleted[name] ?? 0) + count;
    }
  }
  deleted['events'] = await deleteOldEvents(context, before, stopping);
  deleted['jobs'] = await deleteDeadJobs(context);
  logger.info({ event: 'old_rows_deleted', before, ...deleted });
}

async function deleteOldEvents(context: Context, before: Date, stopping: AbortSignal): Promise<number> {
  let deleted = 0;
  for (let after: bigint | null = 0n; after !== null && !stopping.aborted;) {
    const { count, last } = await deleteEvents(context, before, after);
    deleted += count;
    after = last;
  }
  return deleted;
}

/** Deletes notifications with nothing left to check. */
async function deleteNotifications({ database }: Context, before: Date): Promise<number> {
  return database.$executeRaw`
    delete from notifications where id in (
      select id from notifications where ${receivedUntil(before)} and next_attempt_at is null
      order by id limit ${STEP} for update skip locked)`;
}

/**
 * Deletes discrepancies that are resolved and were not seen again since, with the notes about them. One with a refund
 * in progress stays; a finished refund stays without it.
 */
async function deleteDiscrepancies({ database }: Context, before: Date): Promise<number> {
  const [row] = await database.$queryRaw<[{ count: number }]>`
    with deleted as (
      delete from discrepancies where id in (
        select id from discrepancies d
        where d.last_seen_at < ${before}::timestamptz and d.resolved_at < ${before}::timestamptz
          and not exists (select from refunds r where r.discrepancy_id = d.id
            and r.status in ${refundStatuses.blocking.sql})
        order by d.last_seen_at limit ${STEP} for update skip locked)
      returning id
    ), notes_deleted as (
      delete from notes n using deleted d where n.subject = 'discrepancy' and n.subject_id = d.id::text
    )
    select count(*)::int as count from deleted`;
  return row.count;
}

/**
 * Deletes published events after a log position, in the order of their positions (roughly by time), if every target has
 * received them. One that was given up stays, so that a person can see it.
 * @returns how many were deleted, and the position of the last old event: null if there was none
 */
async function deleteEvents(
  { database }: Context,
  before: Date,
  after: bigint,
): Promise<{ count: number; last: bigint | null }> {
  const [row] = await database.$queryRaw<[{ count: number; last: bigint | null }]>`
    with page as materialized (
      select id, position, occurred_at < ${before}::timestamptz as is_old from events
      where position > ${after} order by position limit ${STEP} for update skip locked
    ), deleted as (
      delete from events e using page
      where e.id = page.id and page.is_old and (
        select count(*) from event_deliveries d
        where d.event_id = page.id and (d.delivered_at is null or d.next_attempt_at is not null)) = 0
      returning e.id
    )
    select (select count(*)::int from deleted) as count, max(position) filter (where is_old) as last from page`;
  return row;
}

/**
 * Blanks the digits of declined cards and the card company's message. The attempt itself stays as evidence of the
 * consent.
 */
async function blankDeclinedCards({ database }: Context, before: Date): Promise<number> {
  return database.$executeRaw`
    update billing_key_issuances set card_last_four = ${NO_DIGITS}, reason = null where id in (
      select id from billing_key_issuances
      where resolved_at < ${before}::timestamptz and status = 'declined' and card_last_four <> '****'
      order by resolved_at limit ${STEP} for update skip locked)`;
}

/**
 * Deletes rows of the audit log, which are kept for at least a year whatever the setting says. A trigger checks that by
 * the clock of the database, so that clock counts, too.
 */
async function deleteOperatorActions({ database }: Context, before: Date): Promise<number> {
  return database.$executeRaw`
    delete from operator_actions where id in (
      select id from operator_actions
      where at < least(${before}::timestamptz, now() - interval '366 days')
      order by at limit ${STEP} for update skip locked)`;
}
