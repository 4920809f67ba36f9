// When money moved, as SQL: what the ledger, the overview and the list of payments read. A payment moved money at its
// `paid_at`, each part of its refunds when the service cancelled it.

import { Prisma } from '../../../generated/prisma/client';

// As in the indexes `payments_moved` and `payments_refunded`.
/** Whether money of a payment `p` has moved. */
export const HAS_MOVED = Prisma.raw(`(p.status = 'paid' or p.cancel_amount > 0)`);
/** A payment whose time the service does not show has the time at which we stored it. */
export const PAID_AT = Prisma.raw(`coalesce(p.paid_at, p.created_at)`);
/** Without a time of its own, a refund has the time at which we stored it. */
const CANCELLED_AT = Prisma.raw(`coalesce(p.cancelled_at, p.updated_at)`);

/**
 * A refund was made before our last write of its payment. The day allows for two clocks that differ. Payments of long ago
 * with a refund of today are found as well, and those refunded later than the period are read in vain.
 */
export const mayBeRefundedSince = (time: Date, payments: 'p' | 'payments' = 'p') =>
  Prisma.sql`${Prisma.raw(payments)}.cancel_amount > 0
    and ${Prisma.raw(payments)}.updated_at >= ${time}::timestamptz - interval '1 day'`;

/** The entries of `cancel_history`. Unreadable times are 0 or missing; the amounts of a stored record are readable. */
const HISTORY = Prisma.raw(`(
  select entry.number, (entry.value ->> 'amount')::numeric::bigint as amount, entry.value ->> 'pg_tid' as pg_tid,
    case when entry.value ->> 'cancelled_at' ~ '^[1-9][0-9]{0,11}$'
      then to_timestamp((entry.value ->> 'cancelled_at')::float8) else coalesce(p.cancelled_at, p.updated_at) end as at
  from jsonb_array_elements(case when jsonb_typeof(p.record -> 'cancel_history') = 'array'
    then p.record -> 'cancel_history' else '[]' end) with ordinality as entry (value, number)
  where jsonb_typeof(entry.value -> 'amount') = 'number')`);

/** The refunds of a payment `p`: from its history if that is complete, otherwise from our own refunds. */
export const refundParts = Prisma.sql`(
  with history as (
    select at, amount, pg_tid, (sum(amount) over (order by at, number))::bigint as part from ${HISTORY} entries
  ), is_complete as (
    select coalesce(sum(amount), 0) = p.cancel_amount as yes from history
  ), own as (
    select r.id, r.started_at as at, r.amount, r.cancelled_before + r.amount as part from refunds r
    where r.svc_uid = p.svc_uid and r.status = 'refunded' and not (select yes from is_complete)
  ), rest as (
    select p.cancel_amount - coalesce(sum(amount), 0) as amount from own where not (select yes from is_complete)
  )
  select null::bigint as id, at, amount, part, pg_tid from history where (select yes from is_complete)
  union all
  select id, at, amount, part, null from own
  union all
  select null, ${CANCELLED_AT}, amount::bigint, -1, null from rest where amount > 0 and not (select yes from is_complete))`;
