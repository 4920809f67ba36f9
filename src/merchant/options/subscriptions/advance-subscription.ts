// Advances a claimed subscription as far as possible: records what happened to the current cycle, and does what is due.
// The process may die between any two steps: rows record what was done, every change checks the version, and every
// charge has its row before its call, one at a time per order.
//
// A cycle's first payment is a schedule at the service. We make retries ourselves at their time, with the key stored
// then: §4.9 does not say whether a merchant_uid can be scheduled again after a failed payment, and an order without a
// schedule can be paid by hand meanwhile. We also make a payment that could not be scheduled in time.

import type { NeedsPerson } from '../../../generated/prisma/client';
import { pollOnce } from '../../core/attempts/recover-attempt';
import { chargeOrder, type ChargeOutcome } from '../../core/charges/charge-order';
import { chargeRecovery } from '../../core/charges/recover-charge';
import { deliverSoon } from '../../core/events/save-events';
import { registerOrder } from '../../core/orders/register-order';
import { schedulePayments, type ScheduleOutcome } from '../../core/schedules/schedule-payments';
import type { Context } from '../../platform/context';
import { changeSubscription, type NewEvent, type SubscriptionChange } from './change-store';
import { orderOf, readCycle } from './cycle-store';
import { judgeCycle, type Step } from './judge-cycle';
import { revokeSchedule, stopCycle, type NotStopped } from './stop-cycle';
import { retryAt } from './subscription-calendar';
import { cycleOrder, isCharged, releaseSubscription, type StoredSubscription } from './subscription-store';
import { changeTerms, replaceCycle, toNextCycle } from './wanted-change';

const MINUTE_MS = 60_000;
/** Retry while the service is down. */
const TRY_AGAIN_MS = 5 * MINUTE_MS;
/** Retry of a refused schedule. The service may accept it later; at the payment's time we charge it ourselves. */
const SCHEDULE_AGAIN_MS = 6 * 60 * MINUTE_MS;
/**
 * More than any subscription needs: a paid cycle, the next one charged at once and paid, the one after it scheduled, and
 * that one replaced.
 */
const MOST_STEPS = 15;

/** `changed`: the rows have changed and are evaluated again. `later`: nothing more can be done before then. */
type Done =
  | { kind: 'changed'; subscription: StoredSubscription }
  | { kind: 'later'; at: Date; needsPerson: NeedsPerson | null; subscription?: StoredSubscription }
  | 'overtaken';

/** @throws DatabaseError; the claim then expires, and the subscription is due again */
export async function advanceSubscription(context: Context, claimed: StoredSubscription): Promise<void> {
  let subscription = claimed;
  let until = after(context, MINUTE_MS);
  let needsPerson: NeedsPerson | null = null;
  for (let steps = 0; steps < MOST_STEPS && isCharged(subscription); steps += 1) {
    const rows = await readCycle(context, subscription);
    const step = judgeCycle(subscription, rows, context.clock.now());
    const done = await take(context, subscription, step);
    // Another process has changed it, for example cancelled it: write nothing.
    if (done === 'overtaken') return;
    if (done.kind === 'later') {
      until = done.at;
      needsPerson = done.needsPerson;
      subscription = done.subscription ?? subscription;
      break;
    }
    subscription = done.subscription;
  }
  // `until` is the shop's time. The check comes as much later in real time.
  const waitMs = until.getTime() - context.clock.now().getTime();
  const checkAt = new Date(context.realClock.now().getTime() + waitMs);
  await releaseSubscription(context, subscription, { checkAt, needsPerson });
}

async function take(context: Context, subscription: StoredSubscription, step: Step): Promise<Done> {
  switch (step.kind) {
    case 'wait':
      return { kind: 'later', at: step.until, needsPerson: step.needsPerson };
    case 'renew': {
      const { changes, events } = toNextCycle(subscription, context.clock.now());
      return change(context, subscription, changes, events);
    }
    case 'fail':
      return fail(context, subscription, step);
    case 'end':
      return change(context, subscription, { status: 'ended', endReason: step.reason }, [ended(step.reason)]);
    case 'revoke':
      return stopped(
        context,
        subscription,
        await revokeSchedule(context, subscription),
        'schedule_not_revoked',
      );
    case 'close':
      return close(context, subscription);
    case 'replace': {
      const { changes, events } = replaceCycle(subscription, context.clock.now());
      return change(context, subscription, changes, events);
    }
    case 'switch_card': {
      const card = { ...NO_TERMS, nextCustomerUid: subscription.nextCustomerUid };
      const { changes, events } = changeTerms(subscription, card);
      return change(context, subscription, { ...changes, nextCustomerUid: null }, events);
    }
    case 'ask':
      return ask(context, subscription, step);
    case 'schedule':
      return schedule(context, subscription, step);
    case 'charge':
      return charge(context, subscription);
  }
}

const NO_TERMS = { nextCustomerUid: null, nextAmount: null, nextName: null };

/** The row says first that the order is ours to close: otherwise, after a kill, a closed order would end the plan. */
async function close(context: Context, before: StoredSubscription): Promise<Done> {
  const subscription = before.isReplacing
    ? before
    : await changeSubscription(context, before, { isReplacing: true }, []);
  if (!subscription) return 'overtaken';
  return stopped(context, subscription, (await stopCycle(context, subscription)) ?? 'changed', null);
}

function stopped(
  context: Context,
  subscription: StoredSubscription,
  kind: 'changed' | NotStopped,
  needsPerson: NeedsPerson | null,
): Done {
  if (kind === 'changed') return { kind, subscription };
  const tryAgainMs = kind === 'service_unavailable' ? TRY_AGAIN_MS : MINUTE_MS;
  return { ...notDone(context, subscription, { kind }, tryAgainMs, needsPerson), subscription };
}

function fail(
  context: Context,
  subscription: StoredSubscription,
  { reason, isFinal }: Extract<Step, { kind: 'fail' }>,
): Promise<Done> {
  const { attempt, paymentAt } = subscription;
  const next = isFinal ? null : retryAt(attempt, paymentAt, context.clock.now());
  const failed: NewEvent = {
    type: 'subscription.payment_failed',
    data: { next_payment_at: next?.toISOString() ?? null, reason },
  };
  return next === null
    ? change(context, subscription, { status: 'ended', endReason: reason }, [failed, ended(reason)])
    : change(
        context,
        subscription,
        { status: 'past_due', attempt: attempt + 1, paymentAt: next, isReplacing: false },
        [failed],
      );
}

function ended(reason: NewEvent['data']['reason']): NewEvent {
  return { type: 'subscription.ended', data: { next_payment_at: null, reason } };
}

async function change(
  context: Context,
  subscription: StoredSubscription,
  changes: SubscriptionChange,
  events: readonly NewEvent[],
): Promise<Done> {
  const changed = await changeSubscription(context, subscription, changes, events);
  if (!changed) return 'overtaken';
  context.logger.info({
    event: 'subscription_changed',
    subscription_id: subscription.subscriptionId,
    merchant_uid: cycleOrder(subscription),
    changes: events.map(({ type }) => type),
  });
  deliverSoon(context);
  return { kind: 'changed', subscription: changed };
}

async function ask(
  context: Context,
  subscription: StoredSubscription,
  { chargeId, ifNotExecuted }: Extract<Step, { kind: 'ask' }>,
): Promise<Done> {
  const { resolved } = await pollOnce(context, chargeRecovery, chargeId);
  return resolved
    ? { kind: 'changed', subscription }
    : { kind: 'later', at: ifNotExecuted.until, needsPerson: ifNotExecuted.needsPerson };
}

async function schedule(
  context: Context,
  subscription: StoredSubscription,
  { wasRefused, caseFrom }: Extract<Step, { kind: 'schedule' }>,
): Promise<Done> {
  const { customerUid, paymentAt } = subscription;
  const payment = { order: orderOf(subscription), scheduleAt: paymentAt };
  const outcome = await schedulePayments(context, { customerUid, payments: [payment] });
  const msToCase = caseFrom.getTime() - context.clock.now().getTime();
  const refusedCase = msToCase <= 0 ? 'schedule_refused' : null;
  switch (outcome.kind) {
    case 'scheduled':
      return { kind: 'changed', subscription };
    case 'not_executed':
      return notDone(context, subscription, outcome, TRY_AGAIN_MS, wasRefused ? refusedCase : null);
    case 'refused': {
      // The shop is told once for each payment.
      const told = wasRefused ? subscription : await tellRefused(context, subscription);
      if (told === null) return 'overtaken';
      const againMs = msToCase > 0 ? Math.min(SCHEDULE_AGAIN_MS, msToCase) : SCHEDULE_AGAIN_MS;
      return { ...notDone(context, told, outcome, againMs, refusedCase), subscription: told };
    }
    case 'unknown':
    case 'key_not_found':
    case 'key_not_active':
    case 'key_of_another_member':
    case 'order_not_found':
    case 'order_not_payable':
    case 'charge_pending':
    case 'order_scheduled':
    case 'charge_needs_review':
    case 'order_conflict':
    case 'order_not_schedulable':
      return notDone(context, subscription, outcome, MINUTE_MS);
  }
}

/** Returns null if the subscription has changed since it was read. */
async function tellRefused(
  context: Context,
  subscription: StoredSubscription,
): Promise<StoredSubscription | null> {
  const data = { next_payment_at: subscription.paymentAt.toISOString(), reason: 'refused' } as const;
  const told = await changeSubscription(context, subscription, {}, [
    { type: 'subscription.schedule_refused', data },
  ]);
  if (told) deliverSoon(context);
  return told;
}

async function charge(context: Context, subscription: StoredSubscription): Promise<Done> {
  const registered = await registerOrder(context, orderOf(subscription));
  // The next check finds the order, and that it does not fit.
  if (registered.outcome === 'conflict') return later(context, MINUTE_MS);
  const { customerUid } = subscription;
  const outcome = await chargeOrder(context, { merchantUid: cycleOrder(subscription), customerUid });
  switch (outcome.kind) {
    case 'paid':
    case 'declined':
    case 'refused':
      return { kind: 'changed', subscription };
    case 'not_executed':
      return notDone(context, subscription, outcome, TRY_AGAIN_MS);
    case 'unknown':
    case 'needs_review':
    case 'key_not_found':
    case 'key_not_active':
    case 'key_of_another_member':
    case 'order_not_found':
    case 'order_not_payable':
    case 'payment_not_judged':
    case 'charge_pending':
    case 'order_scheduled':
    case 'charge_needs_review':
    case 'instalments_not_possible':
    case 'tax_free_exceeds_amount':
      return notDone(context, subscription, outcome, MINUTE_MS);
  }
}

function notDone(
  context: Context,
  subscription: StoredSubscription,
  { kind }: Pick<ScheduleOutcome | ChargeOutcome, 'kind'> | { kind: NotStopped },
  tryAgainMs: number,
  needsPerson: NeedsPerson | null = null,
): Extract<Done, { kind: 'later' }> {
  const { subscriptionId, paymentAt } = subscription;
  context.logger.warn({
    event: 'subscription_not_advanced',
    subscription_id: subscriptionId,
    merchant_uid: cycleOrder(subscription),
    outcome: kind,
  });
  // We make the payment at its time at the latest.
  const untilDue = paymentAt.getTime() - context.clock.now().getTime();
  return later(context, untilDue > 0 ? Math.min(tryAgainMs, untilDue) : tryAgainMs, needsPerson);
}

function later(
  context: Context,
  ms: number,
  needsPerson: NeedsPerson | null = null,
): Extract<Done, { kind: 'later' }> {
  return { kind: 'later', at: after(context, ms), needsPerson };
}

function after({ clock }: Context, ms: number): Date {
  return new Date(clock.now().getTime() + ms);
}
