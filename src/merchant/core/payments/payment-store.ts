// Stored payments, one at a time; `verdict-store.ts` writes them.

import type { Payment } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { refundStatuses } from '../attempts/attempt-statuses';
import type { Verdict } from './judge-payment';

export type StoredPayment = Payment;

/** Returns null where there is none. */
export async function findPayment({ database }: Context, svcUid: string): Promise<StoredPayment | null> {
  return database.payment.findUnique({ where: { svcUid } });
}

/** The service shows less than is stored. The first time counts, until the payment is written again. */
export async function markWentBack({ database, clock }: Context, svcUid: string): Promise<void> {
  await database.payment.updateMany({
    where: { svcUid, wentBackAt: null },
    data: { wentBackAt: clock.now() },
  });
}

/**
 * Our refund that has caused the change of a payment: the one that is open (a payment has one at most), if it explains the
 * change to the unit. The outcome of a refund is decided by the same amounts. Null where nothing of ours does, such as for
 * a refund that was made at the service's console, or together with one.
 */
export async function findRefundBehind({ database }: Context, verdict: Verdict): Promise<bigint | null> {
  if (verdict.outcome !== 'recorded') return null;
  const { refunded, payment } = verdict;
  const amount = refunded.now - refunded.before;
  if (amount <= 0) return null;
  const { svcUid, cancelAmount } = payment.record;
  const refund = await database.refund.findFirst({
    where: {
      svcUid,
      status: { in: refundStatuses.open.list },
      amount,
      cancelledBefore: cancelAmount - amount,
    },
    select: { id: true },
  });
  return refund?.id ?? null;
}
