// Everything that the database knows about one payment.

import type { Database } from '../database';

export type PaymentHistory = Awaited<ReturnType<ReturnType<typeof createExplainStore>['findHistory']>>;

export function createExplainStore(database: Database) {
  return {
    async findHistory(svcUid: string) {
      const [payment, notifications, discrepancies, sweepDifference] = await Promise.all([
        database.payment.findUnique({ where: { svcUid } }),
        database.notification.findMany({ where: { svcUid }, orderBy: { id: 'asc' }, take: 1000 }),
        database.discrepancy.findMany({ where: { svcUid }, orderBy: { id: 'asc' } }),
        database.sweepDifference.findUnique({ where: { svcUid } }),
      ]);
      return { payment, notifications, discrepancies, sweepDifference };
    },
    findOrder: (merchantUid: string) => database.order.findUnique({ where: { merchantUid } }),
  };
}
