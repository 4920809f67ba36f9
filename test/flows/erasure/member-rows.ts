// Rows about a member, made without the program: every kind that there is, and every way in which one names the member.

import type { Rows } from '../../support/rows';

/** Deletes all of them. */
export const ALL_MEMBER_ROWS = `truncate orders, payments, charges, refunds, refund_requests, discrepancies, notes, events,
  billing_keys, billing_key_issuances, subscriptions, card_links, erasures cascade`;

export type Named = { memberId?: string; chargedWith?: string; paidWith?: string };

export function createMemberRows({ query }: Pick<Rows, 'query'>) {
  /** A key of a member, deleted at the service, with its issuance, its event and a note. */
  async function key(uid: string, memberId: string): Promise<void> {
    await query(
      `insert into billing_keys (customer_uid, member_id, status, version, created_at, updated_at) values ($1, $2, 'removed', 1, now(), now())`,
      [uid, memberId],
    );
    const [issuance] = await query<{ id: string }>(
      `insert into billing_key_issuances (customer_uid, form_nonce, replaces_key, status, card_last_four, terms_version,
         privacy_version, consented_at, started_at, resolved_at) values ($1, $1, false, 'issued', '9012', '1', '1', now(), now(), now()) returning id`,
      [uid],
    );
    await event(`card:${uid}`, memberId);
    await note('issuance', String(issuance?.id));
  }

  const event = (stream: string, memberId: string) =>
    query(`insert into events (stream, version, type, data, occurred_at) values ($1, 1, 'x', $2, now())`, [
      stream,
      JSON.stringify({ member_id: memberId, ...(stream.startsWith('card:') && { card_number: memberId }) }),
    ]);
  const note = (subject: string, id: string) =>
    query(
      `insert into notes (subject, subject_id, written_by, text, written_at) values ($1::note_subject, $2, 'kim', 'x', now())`,
      [subject, id],
    );

  /** A paid order, with everything that can be about one: payment, charge, refunds, request, discrepancy, event and notes. */
  async function order(uid: string, { memberId, chargedWith, paidWith }: Named): Promise<void> {
    await query(
      `insert into orders (merchant_uid, name, amount, currency, member_id, status, created_at, updated_at)
       values ($1, 'Tea', 1000, 'KRW', $2, 'paid', now(), now())`,
      [uid, memberId ?? null],
    );
    await query(
      `insert into payments (svc_uid, merchant_uid, customer_uid, status, amount, currency, record, fetched_at, created_at, updated_at)
       values ('svc_' || $1, $1, $2, 'paid', 1000, 'KRW', '{}', now(), now(), now())`,
      [uid, paidWith ?? null],
    );
    if (chargedWith !== undefined)
      await query(
        `insert into charges (id, merchant_uid, kind, customer_uid, status, started_at) values ('charge_' || $1, $1, 'again', $2, 'paid', now())`,
        [uid, chargedWith],
      );
    const [discrepancy] = await query<{ id: string }>(
      `insert into discrepancies (kind, svc_uid, merchant_uid, first_seen_at, last_seen_at, resolved_at)
       values ('duplicate_payment', 'svc_second_' || $1, $1, now(), now(), now()) returning id`,
      [uid],
    );
    // The second payment has no row.
    const refunds = await query<{ id: string }>(
      `insert into refunds (svc_uid, discrepancy_id, amount, cancelled_before, cancel_reason, status, started_at, resolved_at)
       values ('svc_' || $1, null, 100, 0, 'x', 'refunded', now(), now()), ('svc_second_' || $1, $2, 100, 0, 'x', 'refunded', now(), now())
       returning id`,
      [uid, discrepancy?.id],
    );
    await query(
      `insert into refund_requests (svc_uid, discrepancy_id, amount, balance, reason, needs_account, requested_by, requested_at, decision, decided_by, decided_at)
       values ('svc_' || $1, $2, 100, 1000, 'x', false, 'kim', now(), 'rejected', 'lee', now())`,
      [uid, discrepancy?.id],
    );
    await event(uid, memberId ?? 'nobody');
    await note('order', uid);
    await note('discrepancy', String(discrepancy?.id));
    await note('refund', String(refunds[0]?.id));
    if (chargedWith !== undefined) await note('charge', `charge_${uid}`);
  }

  async function subscription(id: string, memberId: string): Promise<void> {
    await query(
      `insert into subscriptions (subscription_id, customer_uid, member_id, name, amount, currency, "interval", first_payment_at,
         payment_at, status, end_reason, check_at, created_at, updated_at)
       values ($1, 'none', $2, 'Tea', 1000, 'KRW', 'month', now(), now(), 'cancelled', 'cancelled', now(), now(), now())`,
      [id, memberId],
    );
    await event(`subscription:${id}`, memberId);
  }

  const link = (token: string, memberId: string) =>
    query(
      `insert into card_links (token_hash, member_id, page, expires_at) values ($1, $2, 'cards', now() + interval '1 day')`,
      [token, memberId],
    );
  return { key, order, subscription, link };
}
