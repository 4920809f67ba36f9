// What settlement files say about movements, and the movements that they lack.

import { Prisma } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { movementsBetween, movementsOf, type LedgerPeriod, type Movement } from './ledger-store';
import type { SettlementColumns } from './settings';

type IdKind = SettlementColumns['id']['kind'];

/** The column of the payment with the id that a file names. */
const COLUMNS: Record<IdKind, Prisma.Sql> = {
  svc_uid: Prisma.sql`p.svc_uid`,
  merchant_uid: Prisma.sql`p.merchant_uid`,
  pg_tid: Prisma.sql`p.pg_tid`,
  approval_number: Prisma.sql`p.apply_num`,
};

/** All movements of the payments with these ids. A PG transaction may also be that of a refund. */
export async function findMovementsOf(
  { database }: Context,
  by: IdKind,
  ids: readonly string[],
): Promise<Movement[]> {
  const read = (condition: Prisma.Sql) =>
    database.$queryRaw<Movement[]>`${movementsOf(condition)} order by at, "svcUid", part`;
  const found = await read(Prisma.sql`${COLUMNS[by]} = any (${[...ids]})`);
  if (by !== 'pg_tid') return found;
  const known = new Set(found.flatMap((movement) => idsOf(movement, by)));
  const others = ids.filter((id) => !known.has(id));
  if (others.length === 0) return found;
  const ofRefunds = await read(Prisma.sql`p.cancel_amount > 0 and p.svc_uid = any (array(
    select r.svc_uid from payments r cross join lateral jsonb_array_elements(
      case when jsonb_typeof(r.record -> 'cancel_history') = 'array' then r.record -> 'cancel_history' else '[]' end) entry
    where r.cancel_amount > 0 and entry ->> 'pg_tid' = any (${others})))`);
  const svcUids = new Set(found.map(({ svcUid }) => svcUid));
  return [...found, ...ofRefunds.filter(({ svcUid }) => !svcUids.has(svcUid))];
}

/** What a file may call this movement. */
export function idsOf(movement: Movement, by: IdKind): string[] {
  const { svcUid, merchantUid, approvalNumber, pgTid, paymentTid } = movement;
  const ids = {
    svc_uid: [svcUid],
    merchant_uid: [merchantUid],
    pg_tid: [pgTid, paymentTid],
    approval_number: [approvalNumber],
  };
  return ids[by].flatMap((id) => id ?? []);
}

export type Channel = Pick<Movement, 'payMethod' | 'pgProvider'>;

/**
 * The movements of this method and PG that no file has named, from the first one in the period that a file has named: the
 * PG pays out movements of one method in their order.
 */
export async function findUnnamed(
  { database }: Context,
  { payMethod, pgProvider }: Channel,
  period: LedgerPeriod,
  take: number,
): Promise<Movement[]> {
  const isOfChannel = Prisma.sql`p.pay_method is not distinct from ${payMethod}
    and p.pg_provider is not distinct from ${pgProvider}`;
  return database.$queryRaw<Movement[]>`
    with listed as (${movementsBetween(period, isOfChannel)})
    select * from listed
    where fee is null and at >= (select min(at) from listed where fee is not null)
    order by at, "svcUid", part limit ${take}`;
}

export type NewSettlement = Pick<Movement, 'svcUid' | 'part'> & { fee: number; paidOutOn: string };

/** Stores the fee and the day of the payout. Replaces what an earlier file said about the same movement. */
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
