// Subscriptions in a story: one is created, its periods are paid on their days, and it is cancelled.

import { decide } from '../../../../src/merchant/core/attempts/decide-attempt';
import { chargeAttempt } from '../../../../src/merchant/core/charges/attempt';
import { cancelSubscription } from '../../../../src/merchant/options/subscriptions/cancel-subscription';
import { createSubscription } from '../../../../src/merchant/options/subscriptions/create-subscription';
import { begin } from '../run-steps';
import { anyProcess, type Tale } from '../tale';

const HOUR_MS = 3_600_000;

/** Subscribes with a card of the member. The first payment is due now, soon or tomorrow. */
export function subscribe(tale: Tale): void {
  const { random, stage, plans, confirmedKeys } = tale;
  const customerUid = random.pick([...confirmedKeys]);
  // Sometimes the same request again, as from a caller without an answer.
  const again = random.chance(0.2) ? plans[random.int(plans.length)] : undefined;
  const plan = again ?? {
    subscriptionId: `plan-${plans.length + 1}`,
    amount: 500 * (plans.length + 1),
    firstPaymentAt: new Date(stage.clock.nowMs() + random.pick([0, 0.5, 24]) * HOUR_MS),
    interval: random.pick(['day', 'week', 'month'] as const),
  };
  if (!again) plans.push(plan);
  const memberId = customerUid.replace(/-key-.*$/, '');
  const target = anyProcess(tale);
  const wanted = { ...plan, customerUid, memberId, name: 'Tea of the month', currency: 'KRW' };
  begin(target, createSubscription(target.context, wanted), ({ kind }) => stage.tally.add(`plan: ${kind}`));
}

export function cancelPlan(tale: Tale): void {
  const { random, plans } = tale;
  if (plans.length > 0) cancel(tale, random.pick(plans).subscriptionId);
}

/** Also plans that need a person, or whose answer was lost. */
export function cancelEachPlan(tale: Tale): void {
  for (const { subscriptionId } of tale.plans) cancel(tale, subscriptionId);
}

function cancel(tale: Tale, subscriptionId: string): void {
  const target = anyProcess(tale);
  begin(target, cancelSubscription(target.context, subscriptionId), ({ kind }) =>
    tale.stage.tally.add(`plan cancelled: ${kind}`),
  );
}

/**
 * A plan cannot be cancelled while a charge of its period needs a person, for example after a forged answer. Here a person reads
 * the service's state and records a decision.
 */
export async function decideForPlans({ stage }: Tale): Promise<void> {
  for (const { id } of await stage.rows.query<{ id: string }>(KEEPS_PLAN)) {
    const decideAs = (outcome: 'paid' | 'not_executed') =>
      decide(stage.outside, chargeAttempt, id, { outcome, by: 'operator', note: 'looked at the service' });
    const { kind } = await decideAs('paid');
    stage.tally.add(`plan: charge decided by a person: ${kind}`);
    if (kind === 'contradicted') await decideAs('not_executed');
  }
}

const KEEPS_PLAN = `
  select id from charges join subscriptions on merchant_uid = subscription_id || '-' || cycle
  where charges.status = 'needs_review' and subscriptions.status in ('active', 'past_due')
  order by merchant_uid`;
