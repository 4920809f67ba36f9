// Everything that the database knows about one payment.

import type { Context } from '../context';

export type PaymentHistory = Awaited<ReturnType<typeof findHistory>>;

/** The most copies of a notification that a history names. */
const MOST_NOTIFICATIONS = 1000;

export async function findHistory({ database }: Context, svcUid: string) {
  const [payment, notifications, discrepancies, difference] = await Promise.all([
    database.payment.findUnique({ where: { svcUid } }),
    database.notification.findMany({ where: { svcUid }, orderBy: { id: 'asc' }, take: MOST_NOTIFICATIONS }),
    database.discrepancy.findMany({ where: { svcUid }, orderBy: { id: 'asc' } }),
    database.reconciliationDifference.findUnique({ where: { svcUid } }),
  ]);
  return { payment, notifications, discrepancies, difference };
}
