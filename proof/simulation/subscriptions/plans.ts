// Subscriptions in a story: somebody asks for one, its periods are paid on their days, and it is cancelled.

import { decideCharge } from '../../../src/merchant/core/charges/decide-charge';
import { cancelSubscription } from '../../../src/merchant/options/subscriptions/cancel-subscription';
import { createSubscription } from '../../../src/merchant/options/subscriptions/create-subscription';
import { begin } from '../run-steps';
import { anyProcess, type Tale } from '../tale';

const HOUR_MS = 3_600_000;

/** With a card of the member: its first payment is due now, soon or tomorrow. */
export function subscribe(tale: Tale): void {
  const { random, stage, plans, confirmedKeys } = tale;
  const customerUid = random.pick([...confirmedKeys]);
  // At times the same request once more, such as by a caller who has had no answer.
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

/** Also those that wait for a person, or whose answer was lost. */
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
 * A plan is not cancelled while a charge of its period waits for a person, such as after an answer that was forged on its
 * way: here somebody looks what the service shows by now, and says so.
 */
export async function settleForPlans({ stage }: Tale): Promise<void> {
  for (const { id } of await stage.rows.query<{ id: string }>(KEEPS_PLAN)) {
    const decide = (outcome: 'paid' | 'not_executed') =>
      decideCharge(stage.outside, { id, outcome, by: 'operator', note: 'looked at the service' });
    const { kind } = await decide('paid');
    stage.tally.add(`plan: charge settled by a person: ${kind}`);
    if (kind === 'contradicted') await decide('not_executed');
  }
}

const KEEPS_PLAN = `
  select id from charges join subscriptions on merchant_uid = subscription_id || '-' || cycle
  where charges.status = 'needs_review' and subscriptions.status in ('active', 'past_due')
  order by merchant_uid`;
