// What is kept for a time and then deleted. Each function deletes or blanks a few rows by one statement, so that no lock is
// held for long, and returns how many; an index serves each. What is open is never touched, however old it is.

import type { Context } from '../context';
import { NO_DIGITS } from '../personal-data';

/** Notifications with nothing left to check. */
export async function deleteNotifications(
  { database }: Context,
  before: Date,
  limit: number,
): Promise<number> {
  return database.$executeRaw`
    delete from notifications where id in (
      select id from notifications where received_at < ${before}::timestamptz and next_attempt_at is null
      order by received_at limit ${limit} for update skip locked)`;
}

/**
 * Discrepancies that are settled and were not seen again since. One that a refund of them is under way for stays; a refund
 * that is over stays without it.
 */
export async function deleteDiscrepancies(
  { database }: Context,
  before: Date,
  limit: number,
): Promise<number> {
  return database.$executeRaw`
    delete from discrepancies where id in (
      select id from discrepancies d
      where d.resolved_at < ${before}::timestamptz and d.last_seen_at < ${before}::timestamptz
        and not exists (select from refunds r where r.discrepancy_id = d.id
          and r.status in ('pending', 'unknown', 'needs_review'))
      order by d.resolved_at limit ${limit} for update skip locked)`;
}

/** Events that every target has taken. One that was given up stays for a person to see. */
export async function deleteEvents({ database }: Context, before: Date, limit: number): Promise<number> {
  return database.$executeRaw`
    delete from events where id in (
      select id from events e where e.occurred_at < ${before}::timestamptz and e.position is not null
        and not exists (select from event_deliveries d where d.event_id = e.id
          and (d.delivered_at is null or d.next_attempt_at is not null))
      order by e.occurred_at limit ${limit} for update skip locked)`;
}

/** The digits of declined cards, and the card company's words. The attempt itself stays: it shows the consent. */
export async function blankDeclinedCards(
  { database }: Context,
  before: Date,
  limit: number,
): Promise<number> {
  return database.$executeRaw`
    update billing_key_issuances set card_last_four = ${NO_DIGITS}, reason = null where id in (
      select id from billing_key_issuances
      where resolved_at < ${before}::timestamptz and status = 'declined' and card_last_four <> '****'
      order by resolved_at limit ${limit} for update skip locked)`;
}
