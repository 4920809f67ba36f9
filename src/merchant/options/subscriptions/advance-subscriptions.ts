// Job `advance-subscriptions`: advances every subscription that is due for a check. It runs every minute, and at once
// after an event of a cycle's order.

import { bestEffort } from '../../core/attempts/send-once';
import { EVERY_MINUTE } from '../../platform/clock';
import type { Context, FeatureEvent } from '../../platform/context';
import { drainDueRows } from '../../platform/drain-due-rows';
import type { RecurringJob } from '../../platform/jobs';
import { advanceSubscription } from './advance-subscription';
import {
  claimSubscriptions,
  wakeDecided,
  wakeSubscription,
  type StoredSubscription,
} from './subscription-store';

/** Renews what was paid and retries what failed. */
export const ADVANCE_SUBSCRIPTIONS: RecurringJob = {
  name: 'advance-subscriptions',
  crontab: EVERY_MINUTE,
  priority: 1,
};

/** Concurrency per process; each may wait for a call to the service. */
const AT_ONCE = 10;
/** Longer than all calls for one subscription, so that another process takes a claim only if the first one has died. */
const CLAIM_MS = 5 * 60_000;

/**
 * Several processes may run it: each subscription is claimed by one of them.
 * @param stopping is aborted when this process stops; the next run does the rest
 * @throws DatabaseError if the due subscriptions cannot be read; the job then runs again
 */
export async function advanceSubscriptions(context: Context, stopping: AbortSignal): Promise<void> {
  await drainDueRows(context, {
    kind: 'subscriptions',
    atOnce: AT_ONCE,
    claim: (places) => claimSubscriptions(context, { claimedUntil: claimEnd(context), limit: places }),
    work: (subscription) => advanceClaimed(context, subscription),
    stopping,
  });
}

/** Advances a new subscription. If another process has claimed it, or the database is down, the job does it. */
export async function advanceNow(context: Context, subscriptionId: string): Promise<void> {
  await bestEffort(context, async () => {
    const claim = { claimedUntil: claimEnd(context), limit: 1, subscriptionId };
    for (const subscription of await claimSubscriptions(context, claim))
      await advanceClaimed(context, subscription);
  });
}

/** A failure must not hold up the others: the subscription is due again when its claim has expired. */
async function advanceClaimed(context: Context, subscription: StoredSubscription): Promise<void> {
  try {
    await advanceSubscription(context, subscription);
  } catch (error) {
    const { subscriptionId } = subscription;
    context.logger.error({
      event: 'subscription_not_advanced',
      subscription_id: subscriptionId,
      outcome: 'error',
      err: error,
    });
  }
}

/**
 * Makes a check due now, after an event of a cycle's order. Never throws: without it the check runs at its planned
 * time.
 */
export async function wakeByEvent(event: FeatureEvent, context: Context): Promise<void> {
  const { merchant_uid: merchantUid, subscription_id: subscriptionId } = event.data;
  if (!event.type.startsWith('order.') || !merchantUid || !subscriptionId) return;
  const cycle = Number(merchantUid.slice(subscriptionId.length + 1));
  await bestEffort(context, async () => {
    if (await wakeSubscription(context, { subscriptionId, cycle }))
      await context.jobs.runSoon(ADVANCE_SUBSCRIPTIONS);
  });
}

/** A person has decided about a charge: the plan that has waited for it needs nobody now, and continues at once. */
export async function wakeByDecision(
  context: Context,
  { merchant_uid: merchantUid }: { merchant_uid?: unknown },
): Promise<void> {
  const [, subscriptionId, cycle] = /^(.+)-([1-9][0-9]{0,6})$/.exec(String(merchantUid)) ?? [];
  if (subscriptionId === undefined) return;
  if (await wakeDecided(context, { subscriptionId, cycle: Number(cycle) }))
    await context.jobs.runSoon(ADVANCE_SUBSCRIPTIONS);
}

function claimEnd({ realClock }: Context): Date {
  return new Date(realClock.now().getTime() + CLAIM_MS);
}
