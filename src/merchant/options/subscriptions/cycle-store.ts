// What the rows of the other folders show of the current cycle of a subscription: its order, the charges of that order,
// and the billing key. Reads only.

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
 * The charge of the first attempt is the schedule for its time. Every other one is made by us (`again`) after the attempt
 * was due, and cannot be confused with one of an earlier attempt.
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
    // One moment: a charge that has failed beside an order that was read before it is paid would seem unpaid.
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

/** An order that was registered by somebody else, over something else, is not the order of the cycle. */
function fits(order: RegisteredOrder, { amount, currency, memberId }: StoredSubscription): boolean {
  return (
    order.amount === amount &&
    order.currency === currency &&
    order.memberId === memberId &&
    // A schedule takes neither (§4.9).
    !order.cardQuota &&
    !order.taxFree
  );
}
