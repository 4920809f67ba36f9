// What settlement files say about movements of the ledger.

import type { Context } from '../../platform/context';

export type NewSettlement = { svcUid: string; part: bigint; fee: number; paidOutOn: string };

/** Replaces what an earlier file said about the same movement. */
export async function saveSettlements(
  { database, clock }: Context,
  settlements: readonly NewSettlement[],
): Promise<void> {
  if (settlements.length === 0) return;
  const rows = settlements.map(({ svcUid, part, fee, paidOutOn }) => ({
    svc_uid: svcUid,
    part: Number(part),
    fee,
    paid_out_on: paidOutOn,
  }));
  await database.$executeRaw`
    insert into settlements (svc_uid, part, fee, paid_out_on, imported_at)
    select svc_uid, part, fee, paid_out_on, ${clock.now()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (svc_uid text, part bigint, fee bigint, paid_out_on date)
    on conflict (svc_uid, part) do update
      set fee = excluded.fee, paid_out_on = excluded.paid_out_on, imported_at = excluded.imported_at`;
}
