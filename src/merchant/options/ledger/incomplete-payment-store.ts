// Payments whose times the ledger does not know yet.

import type { ReportedIds } from '../../core/payments/fetch-payment';
import type { Context } from '../../platform/context';

/** Paid without a time, or refunded without a history; written since then, the latest first. */
export async function findIncompletePayments(
  { database }: Context,
  since: Date,
  take: number,
): Promise<ReportedIds[]> {
  return database.$queryRaw<ReportedIds[]>`
    select svc_uid as "svcUid", merchant_uid as "merchantUid" from (
      (select svc_uid, merchant_uid, updated_at from payments
      where (status = 'paid' or cancel_amount > 0) and paid_at is null and updated_at >= ${since}::timestamptz
      order by updated_at desc limit ${take})
      union
      (select svc_uid, merchant_uid, updated_at from payments
      where cancel_amount > 0 and updated_at >= ${since}::timestamptz
        and coalesce(record -> 'cancel_history', '[]') in ('[]', 'null')
      order by updated_at desc limit ${take})) incomplete
    order by updated_at desc limit ${take}`;
}
