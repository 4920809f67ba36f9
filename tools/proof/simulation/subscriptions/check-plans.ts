// Checks of subscriptions: no period is paid before its day or renewed twice, and an ended plan takes no more money.

import { paymentDate } from '../../../../src/merchant/options/subscriptions/subscription-calendar';
import { held, paymentsAtService } from '../check-money';
import type { AllRows } from '../prepared-rows';
import type { Tale } from '../tale';

type StoredPlan = { subscription_id: string; status: string; cycle: number };
type StoredEvent = { stream: string; type: string; data: { cycle: number } };

/** More than the difference of clocks. */
const EARLIEST_MS = 1_000;

/** Double charges of an order, and so of a period, are found by the comparison of the money. */
export function checkPlans({ stage, plans }: Tale, rows: AllRows): string[] {
  const problems: string[] = [];
  for (const { subscriptionId, firstPaymentAt, interval } of plans) {
    const plan = rows.of<StoredPlan>('subscriptions').find((each) => each.subscription_id === subscriptionId);
    if (!plan) continue;
    if (plan.status === 'active' || plan.status === 'past_due')
      problems.push(`${subscriptionId} is ${plan.status} and was cancelled`);
    const renewed = rows
      .of<StoredEvent>('events')
      .filter(
        ({ stream, type }) => stream === `subscription:${subscriptionId}` && type === 'subscription.renewed',
      )
      .map(({ data }) => data.cycle);
    if (new Set(renewed).size < renewed.length)
      problems.push(`${subscriptionId} was renewed twice for one period: ${renewed.join()}`);
    for (let cycle = 1; cycle <= plan.cycle + 1; cycle += 1) {
      const merchantUid = `${subscriptionId}-${cycle}`;
      const payments = paymentsAtService(stage, merchantUid);
      const isEarly = ({ customerUid, paidAt }: (typeof payments)[number]) =>
        customerUid !== null &&
        paidAt * 1_000 + EARLIEST_MS <= paymentDate(firstPaymentAt, interval, cycle).getTime();
      if (payments.some((payment) => payment.paidAt > 0 && isEarly(payment)))
        problems.push(`${merchantUid} was charged before its day`);
      if (cycle > plan.cycle && payments.some((payment) => payment.customerUid !== null && held(payment) > 0))
        problems.push(`${merchantUid} was charged, and ${subscriptionId} ended before`);
      const hasBeenPaid = payments.some(({ paidAt }) => paidAt > 0);
      if (renewed.includes(cycle) && !hasBeenPaid)
        problems.push(`${subscriptionId} was renewed by ${merchantUid}, which nobody has paid`);
    }
    stage.tally.add('plan: period renewed', renewed.length);
  }
  return problems;
}
