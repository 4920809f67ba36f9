// Changes of subscriptions. Every change checks the version that it was decided on, and writes its events in the same
// statement.

import type { Subscription } from '../../../generated/prisma/client';
import { nextVersion, saveEvents } from '../../core/events/save-events';
import type { Context } from '../../platform/context';
import type { SubscriptionEvent } from '../../shop/event';
import { chargedSubscriptions, cycleOrder, type StoredSubscription } from './subscription-store';

/** A change of its terms that waits for the next cycle, or for its schedule to be revoked. */
export type WantedChange = Pick<Subscription, 'nextCustomerUid' | 'nextAmount' | 'nextName' | 'isPausing'>;

export type SubscriptionChange = Partial<
  Pick<
    Subscription,
    | 'status'
    | 'cycle'
    | 'attempt'
    | 'paymentAt'
    | 'endReason'
    | 'customerUid'
    | 'amount'
    | 'name'
    | 'isReplacing'
    | 'replacedCycles'
  > &
    WantedChange
>;

export type NewEvent = Pick<SubscriptionEvent, 'type'> & {
  data: Pick<SubscriptionEvent['data'], 'next_payment_at' | 'reason'>;
};

/** Events about what holds from now on. Others are about the cycle from before the change. */
const ABOUT_AFTER = new Set<NewEvent['type']>([
  'subscription.changed',
  'subscription.paused',
  'subscription.resumed',
]);

/** Writes a wanted change, and makes a check due now, unless another change came first. Returns whether it was written. */
export async function writeWantedChange(
  { database, realClock }: Context,
  { subscriptionId, version }: StoredSubscription,
  { nextCustomerUid, nextAmount, nextName, isPausing }: WantedChange,
): Promise<boolean> {
  // A process that has claimed it loses the claim: it goes on without the change, and writes nothing more.
  const written = await database.$executeRaw`
    update subscriptions s set next_customer_uid = ${nextCustomerUid}, next_amount = ${nextAmount},
      next_name = ${nextName}, is_pausing = ${isPausing}, version = ${nextVersion('s')},
      check_at = ${realClock.now()}::timestamptz, claimed_until = null
    where subscription_id = ${subscriptionId} and version = ${version} and status in ${chargedSubscriptions.sql}`;
  return written === 1;
}

/**
 * Changes a subscription that still has the version that was read, and writes its events in the given order.
 * @returns the changed subscription; null if the version differs: nothing was written then
 */
export async function changeSubscription(
  { database, clock }: Context,
  before: StoredSubscription,
  change: SubscriptionChange,
  events: readonly NewEvent[],
): Promise<StoredSubscription | null> {
  const after = { ...before, ...change, updatedAt: clock.now() };
  const { subscriptionId } = before;
  return database.$atomically(async (run) => {
    const [written] = await run.$queryRaw<{ version: number }[]>`
      update subscriptions s set status = ${after.status}::subscription_status, cycle = ${after.cycle},
        attempt = ${after.attempt}, payment_at = ${after.paymentAt}::timestamptz, end_reason = ${after.endReason},
        past_amounts = array(select distinct unnest(past_amounts || amount)), amount = ${after.amount},
        customer_uid = ${after.customerUid}, name = ${after.name}, next_customer_uid = ${after.nextCustomerUid},
        next_amount = ${after.nextAmount}, next_name = ${after.nextName}, is_pausing = ${after.isPausing},
        is_replacing = ${after.isReplacing}, replaced_cycles = ${after.replacedCycles},
        version = ${nextVersion('s')} + ${Math.max(events.length, 1)} - 1, updated_at = ${after.updatedAt}::timestamptz
      where subscription_id = ${subscriptionId} and version = ${before.version}
      returning version`;
    if (!written) return null;
    const firstVersion = written.version - events.length + 1;
    await saveEvents(
      run,
      events.map(({ type, data }, index) => ({
        stream: `subscription:${subscriptionId}`,
        version: firstVersion + index,
        type,
        data: { ...aboutCycle(ABOUT_AFTER.has(type) ? after : before), ...data },
        occurredAt: after.updatedAt,
      })),
    );
    return { ...after, version: written.version };
  });
}

function aboutCycle(subscription: StoredSubscription) {
  const { subscriptionId, memberId, customerUid, cycle, amount, currency, attempt } = subscription;
  return {
    subscription_id: subscriptionId,
    member_id: memberId,
    customer_uid: customerUid,
    cycle,
    merchant_uid: cycleOrder(subscription),
    amount: Number(amount),
    currency,
    attempt,
  };
}
