// Everything in the database about one payment, and about an order by its number.

import type { Context } from '../../platform/context';

export type PaymentHistory = Awaited<ReturnType<typeof findHistory>>;

/** Maximum number of notifications in a history. */
const MOST_NOTIFICATIONS = 1000;

export async function findHistory({ database }: Context, svcUid: string) {
  const [payment, notifications, discrepancies, refunds] = await Promise.all([
    database.payment.findUnique({ where: { svcUid } }),
    database.notification.findMany({ where: { svcUid }, orderBy: { id: 'asc' }, take: MOST_NOTIFICATIONS }),
    database.discrepancy.findMany({ where: { svcUid }, orderBy: { id: 'asc' } }),
    database.refund.findMany({ where: { svcUid }, orderBy: { id: 'asc' } }),
  ]);
  return { payment, notifications, discrepancies, refunds };
}

export type OrderCharge = Awaited<ReturnType<typeof findCharges>>[number];

/** Attempts to take money for an order. */
export async function findCharges({ database }: Context, merchantUid: string) {
  return database.charge.findMany({ where: { merchantUid }, orderBy: [{ startedAt: 'asc' }, { id: 'asc' }] });
}

/** When an order was registered; null if it was not. */
export async function findRegistered(
  { database }: Context,
  merchantUid: string,
): Promise<{ createdAt: Date } | null> {
  return database.order.findUnique({ where: { merchantUid }, select: { createdAt: true } });
}

/** Every payment that was ever reported for an order. */
export async function findPaymentsOf({ database }: Context, merchantUid: string): Promise<string[]> {
  const named = { where: { merchantUid }, distinct: ['svcUid' as const], select: { svcUid: true } };
  const [payments, notifications, discrepancies] = await Promise.all([
    database.payment.findMany({ ...named, orderBy: { createdAt: 'asc' } }),
    database.notification.findMany({ ...named, orderBy: { id: 'asc' }, take: MOST_NOTIFICATIONS }),
    database.discrepancy.findMany({ ...named, orderBy: { id: 'asc' }, take: MOST_NOTIFICATIONS }),
  ]);
  const svcUids = [...payments, ...notifications, ...discrepancies].map(({ svcUid }) => svcUid);
  return [...new Set(svcUids)];
}
