// Reads the rows of other folders about the current cycle of a subscription: its order, the order's charges, and the
// billing key. Also says which order is of a cycle.

import {
  Prisma,
  type BillingKey,
  type BillingKeyStatus,
  type Charge,
  type ChargeStatus,
  type Order,
  type OrderStatus,
  type Payment,
} from '../../../generated/prisma/client';
import { chargeStatuses } from '../../core/attempts/attempt-statuses';
import type { NewOrder } from '../../core/orders/order-store';
import { fromStoredFields, type PaymentFields } from '../../core/orders/payment-fields';
import type { Context } from '../../platform/context';
import type { CycleRows } from './judge-cycle';
import { cycleOrder, type StoredSubscription } from './subscription-store';

/** All that is known of a cycle, with what the API shows of it. */
export type Cycle = CycleRows & {
  merchantUid: string;
  /** The status of the latest charge of the order; null if there is none. */
  latestCharge: ChargeStatus | null;
  /** Why it was not made, in the service's words; null if there is no reason. */
  latestReason: string | null;
};

/**
 * SQL: the subscription whose cycle the order `o` pays for; null if there is none. An order with such a name but an amount
 * or a currency that the plan never had does not belong to it.
 */
export const subscriptionOfOrder = Prisma.raw(`(
  select s.subscription_id from subscriptions s
  where s.subscription_id = substring(o.merchant_uid from '^(.+)-[1-9][0-9]{0,6}$')
    and substring(o.merchant_uid from '-([1-9][0-9]{0,6})$')::int <= s.cycle
    and (s.amount = o.amount or o.amount = any(s.past_amounts)) and s.currency = o.currency)`);

/** What its payments carry. A schedule takes no instalments and no tax-free part (§4.9). */
export function paymentFields(subscription: StoredSubscription): Pick<PaymentFields, 'buyer' | 'customData'> {
  const { buyer, customData } = fromStoredFields({ ...subscription, cardQuota: null, taxFree: null });
  return { buyer, customData };
}

/** The order of a cycle. It names the member, so that another member's key cannot pay for it. */
export function orderOf(subscription: StoredSubscription): NewOrder {
  const { name, amount, currency, memberId } = subscription;
  const merchantUid = cycleOrder(subscription);
  return { merchantUid, name, amount: Number(amount), currency, memberId, ...paymentFields(subscription) };
}

export async function readCycle(context: Context, subscription: StoredSubscription): Promise<Cycle> {
  const [cycle] = await readCycles(context, [subscription]);
  if (!cycle) throw new Error('There is a cycle for each subscription.');
  return cycle;
}

/** The current cycle of each of these subscriptions, in their order, with one statement per table. */
export async function readCycles(
  { database }: Context,
  subscriptions: readonly StoredSubscription[],
): Promise<Cycle[]> {
  const ofOrders = { merchantUid: { in: subscriptions.map(cycleOrder) } };
  const ofKeys = { customerUid: { in: subscriptions.map(({ customerUid }) => customerUid) } };
  const [orders, charges, keys] = await database.$transaction(
    [
      database.order.findMany({
        where: ofOrders,
        include: { payments: { select: { status: true, cancelAmount: true, counted: true } } },
      }),
      database.charge.findMany({ where: ofOrders, orderBy: [{ startedAt: 'desc' }, { id: 'desc' }] }),
      database.billingKey.findMany({
        where: ofKeys,
        select: { customerUid: true, status: true, memberId: true },
      }),
    ],
    // A consistent snapshot: otherwise a failed charge, with an order read before it was paid, would look unpaid.
    { isolationLevel: 'RepeatableRead' },
  );
  return subscriptions.map((subscription) => {
    const merchantUid = cycleOrder(subscription);
    const key = keys.find(({ customerUid }) => customerUid === subscription.customerUid) ?? null;
    return toCycle(subscription, {
      order: orders.find((order) => order.merchantUid === merchantUid) ?? null,
      charges: charges.filter((charge) => charge.merchantUid === merchantUid),
      key,
    });
  });
}

type Rows = {
  order:
    | (RegisteredOrder &
        Pick<Order, 'status'> & { payments: Pick<Payment, 'status' | 'cancelAmount' | 'counted'>[] })
    | null;
  /** The newest first. */
  charges: readonly Charge[];
  key: Pick<BillingKey, 'status' | 'memberId'> | null;
};

/**
 * The first payment's charge is the schedule for its time. Every other charge is made by us (`again`) after its time,
 * so it cannot be confused with one of an earlier try. One that was not executed says nothing about the payment.
 */
function toCycle(subscription: StoredSubscription, { order, charges, key }: Rows): Cycle {
  const { memberId, paymentAt } = subscription;
  return {
    merchantUid: cycleOrder(subscription),
    order: order && {
      status: order.status,
      fits: fits(order, subscription),
      wasPaid: order.payments.some(
        ({ status, cancelAmount, counted }) => counted && (status === 'paid' || cancelAmount > 0n),
      ),
    },
    blocking: charges.find(({ status }) => chargeStatuses.blocking.has(status)) ?? null,
    attempted:
      charges.find(
        ({ status, kind, scheduleAt, startedAt }) =>
          status !== 'not_executed' &&
          (kind === 'schedule' ? scheduleAt?.getTime() === paymentAt.getTime() : startedAt >= paymentAt),
      ) ?? null,
    key: !key || key.status === 'removed' ? 'gone' : canPay(key, memberId) ? 'active' : 'not_active',
    latestCharge: charges[0]?.status ?? null,
    latestReason: charges[0]?.reason ?? null,
  };
}

/** The order of a cycle that was registered, with when it was paid. */
type CyclePayment = { cycle: number; merchantUid: string; status: OrderStatus; paidAt: Date | null };

/** More than two years of a monthly plan. */
const CYCLES_READ = 25;

/**
 * The orders of a plan's last cycles, the newest first. A cycle that was skipped has none, so the number of a cycle
 * does not say how many were paid.
 */
export async function findCyclePayments(
  { database }: Context,
  { subscriptionId, cycle: last }: Pick<StoredSubscription, 'subscriptionId' | 'cycle'>,
): Promise<CyclePayment[]> {
  const cycles = Array.from({ length: Math.min(last, CYCLES_READ) }, (_, index) => last - index);
  const ids = new Map(cycles.map((cycle) => [cycleOrder({ subscriptionId, cycle }), cycle]));
  const orders = await database.order.findMany({
    where: { merchantUid: { in: [...ids.keys()] } },
    select: {
      merchantUid: true,
      status: true,
      payments: { where: { paidAt: { not: null } }, select: { paidAt: true }, orderBy: { paidAt: 'desc' } },
    },
  });
  return orders
    .map(({ merchantUid, status, payments }) => ({
      cycle: ids.get(merchantUid) ?? 0,
      merchantUid,
      status,
      paidAt: payments[0]?.paidAt ?? null,
    }))
    .sort((one, other) => other.cycle - one.cycle);
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
