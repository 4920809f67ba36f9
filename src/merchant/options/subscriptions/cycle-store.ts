// Reads the rows of other folders about the current cycle of a subscription: its order, the order's charges, and the
// billing key.

import type { BillingKeyStatus, ChargeStatus, Order } from '../../../generated/prisma/client';
import { chargeStatuses } from '../../core/attempts/attempt-statuses';
import type { Context } from '../../platform/context';
import type { CycleRows } from './judge-cycle';
import { cycleOrder, type StoredSubscription } from './subscription-store';

/** All that is known of a cycle, with what the API shows of it. */
export type Cycle = CycleRows & {
  merchantUid: string;
  /** The status of the latest charge of the order; null if there is none. */
  latestCharge: ChargeStatus | null;
};

/**
 * The first payment's charge is the schedule for its time. Every other charge is made by us (`again`) after its time,
 * so it cannot be confused with one of an earlier try.
 */
export async function readCycle({ database }: Context, subscription: StoredSubscription): Promise<Cycle> {
  const { customerUid, memberId, paymentAt } = subscription;
  const merchantUid = cycleOrder(subscription);
  const [order, charges, key] = await database.$transaction(
    [
      database.order.findUnique({
        where: { merchantUid },
        include: { payments: { select: { status: true, cancelAmount: true, counted: true } } },
      }),
      database.charge.findMany({ where: { merchantUid }, orderBy: [{ startedAt: 'desc' }, { id: 'desc' }] }),
      database.billingKey.findUnique({ where: { customerUid }, select: { status: true, memberId: true } }),
    ],
    // A consistent snapshot: otherwise a failed charge, with an order read before it was paid, would look unpaid.
    { isolationLevel: 'RepeatableRead' },
  );
  return {
    merchantUid,
    order: order && {
      status: order.status,
      fits: fits(order, subscription),
      wasPaid: order.payments.some(
        ({ status, cancelAmount, counted }) => counted && (status === 'paid' || cancelAmount > 0n),
      ),
    },
    unsettled: charges.find(({ status }) => chargeStatuses.unsettled.has(status)) ?? null,
    attempted:
      charges.find(({ kind, scheduleAt, startedAt }) =>
        kind === 'schedule' ? scheduleAt?.getTime() === paymentAt.getTime() : startedAt >= paymentAt,
      ) ?? null,
    key: !key || key.status === 'removed' ? 'gone' : canPay(key, memberId) ? 'active' : 'not_active',
    latestCharge: charges[0]?.status ?? null,
  };
}

function canPay(key: { status: BillingKeyStatus; memberId: string }, memberId: string): boolean {
  return key.status === 'active' && key.memberId === memberId;
}

type RegisteredOrder = Pick<Order, 'amount' | 'currency' | 'memberId' | 'cardQuota' | 'taxFree'>;

/** An order registered elsewhere with other terms is not the cycle's order. */
function fits(order: RegisteredOrder, { amount, currency, memberId }: StoredSubscription): boolean {
  return (
    order.amount === amount &&
    order.currency === currency &&
    order.memberId === memberId &&
    // A schedule supports neither (§4.9).
    !order.cardQuota &&
    !order.taxFree
  );
}
