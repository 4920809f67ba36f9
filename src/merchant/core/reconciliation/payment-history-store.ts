// Everything in the database about one payment, and about an order by its number. It is in the last folder of the core
// because it reads the tables of most others.

import type { DiscrepancyKind } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import type { Unresolved } from './reconciliation-report';

export type PaymentHistory = Awaited<ReturnType<typeof findHistory>>;

/** Maximum number of notifications in a history. */
const MOST_NOTIFICATIONS = 1000;

export async function findHistory({ database }: Context, svcUid: string) {
  const [payment, notifications, discrepancies, difference, refunds] = await Promise.all([
    database.payment.findUnique({ where: { svcUid } }),
    database.notification.findMany({ where: { svcUid }, orderBy: { id: 'asc' }, take: MOST_NOTIFICATIONS }),
    database.discrepancy.findMany({ where: { svcUid }, orderBy: { id: 'asc' } }),
    database.reconciliationDifference.findUnique({ where: { svcUid } }),
    database.refund.findMany({ where: { svcUid }, orderBy: { id: 'asc' } }),
  ]);
  return { payment, notifications, discrepancies, difference, refunds };
}

/** How many of these payments differ for a reason about which a person has decided. */
export async function countDecided(
  { database }: Context,
  unresolved: readonly Unresolved[],
): Promise<number> {
  const decided = await database.discrepancy.findMany({
    where: { svcUid: { in: unresolved.map(({ svcUid }) => svcUid) }, resolvedAt: { not: null } },
    select: { svcUid: true, merchantUid: true, kind: true },
  });
  const keyOf = (svcUid: string, merchantUid: string, kind: DiscrepancyKind | 'queued') =>
    `${svcUid} ${merchantUid} ${kind}`;
  const keys = new Set(decided.map(({ svcUid, merchantUid, kind }) => keyOf(svcUid, merchantUid, kind)));
  return unresolved.filter(({ svcUid, merchantUid, outcome }) =>
    keys.has(keyOf(svcUid, merchantUid, outcome)),
  ).length;
}

export type OrderCharge = Awaited<ReturnType<typeof findOrderHistory>>['charges'][number];

/** Attempts to take money for an order, and every payment that was ever reported for it. */
export async function findOrderHistory({ database }: Context, merchantUid: string) {
  const named = { where: { merchantUid }, distinct: ['svcUid' as const], select: { svcUid: true } };
  const [charges, payments, notifications, discrepancies] = await Promise.all([
    database.charge.findMany({ where: { merchantUid }, orderBy: [{ startedAt: 'asc' }, { id: 'asc' }] }),
    database.payment.findMany({ ...named, orderBy: { createdAt: 'asc' } }),
    database.notification.findMany({ ...named, orderBy: { id: 'asc' }, take: MOST_NOTIFICATIONS }),
    database.discrepancy.findMany({ ...named, orderBy: { id: 'asc' }, take: MOST_NOTIFICATIONS }),
  ]);
  const svcUids = [...payments, ...notifications, ...discrepancies].map(({ svcUid }) => svcUid);
  return { charges, svcUids: [...new Set(svcUids)] };
}
