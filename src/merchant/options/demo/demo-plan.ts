// The demo shop's plan, which is a subscription. The demo clock can be moved to its next payment.

import { findKey, type StoredBillingKey } from '../../core/billing-keys/billing-key-store';
import { cardErrors } from '../../core/cards/errors';
import type { Context } from '../../platform/context';
import { defineErrors, HttpError } from '../../platform/errors';
import { addLogFields } from '../../platform/http/log-fields';
import { withReturnUrl } from '../../platform/http/return-url';
import { languageOf, linkIn } from '../../platform/http/views';
import { platformErrors } from '../../platform/platform-errors';
import { cancelSubscription } from '../subscriptions/cancel-subscription';
import { changeSubscriptionTerms } from '../subscriptions/change-subscription';
import { createSubscription } from '../subscriptions/create-subscription';
import { findCyclePayments, readCycle } from '../subscriptions/cycle-store';
import { subscriptionJson } from '../subscriptions/subscription-schema';
import { findSubscription, isCharged, type StoredSubscription } from '../subscriptions/subscription-store';
import {
  chargeableCards,
  CURRENCY,
  inConsole,
  isDemoSubscription,
  newDemoSubscription,
  PLAN,
  toldOf,
  type MemberVisit,
} from './demo-shop';
import { followPage } from './follow-page';
import { findMeanwhile } from './meanwhile';
import { en } from './texts.en';
import { ko } from './texts.ko';
import { travel, type TravellingClock } from './travel';

/** Errors of the demo shop's pages. */
export const demoErrors = defineErrors({
  cannot_cancel_now: {
    status: 503,
    message: 'The plan was not cancelled.',
    remedy: 'Try again later.',
    retryAfterSeconds: 30,
    page: { toForm: false },
  },
  clock_not_moved: {
    status: 503,
    message: 'The sandbox has not confirmed that the clock was reset.',
    remedy: 'Check that the sandbox runs, and which time the shop shows, then try again.',
    retryAfterSeconds: 30,
    page: { toForm: false },
  },
});

/** A payment is made within a minute of its time. */
const AFTER_PAYMENT_MS = 60_000;

export async function showPlan(
  context: Context,
  { request, response, views, memberId }: MemberVisit,
): Promise<void> {
  views.send(request, response, {
    status: 200,
    template: 'demo/plan',
    texts: { ko, en },
    title: ({ demo }) => demo.plan.title,
    data: {
      plan: PLAN,
      cards: await chargeableCards(context, memberId),
      subscriptionId: newDemoSubscription(),
      here: '/demo/plan',
      // The payment method that was registered just now.
      registered: request.query['customer_uid'] ?? null,
      hasTooManyCards: request.query['wallet'] === 'too_many_cards',
    },
  });
}

export async function submitPlan(
  context: Context,
  { request, response, memberId }: MemberVisit,
): Promise<void> {
  const { subscription_id: subscriptionId, pay_with: customerUid } = request.body as Record<string, unknown>;
  if (!isDemoSubscription(subscriptionId) || typeof customerUid !== 'string')
    throw new HttpError(cardErrors.forged_form);
  const known = await findSubscription(context, subscriptionId);
  // A form sent a second time must not create again: its first payment would have another time.
  if (known === null) {
    const { amount, interval } = PLAN;
    const name = { ko, en }[languageOf(request)].demo.plan.title;
    const firstPaymentAt = new Date(Math.floor(context.clock.now().getTime() / 1000) * 1000);
    const terms = { name, amount, interval, currency: CURRENCY, firstPaymentAt };
    const { kind } = await createSubscription(context, { subscriptionId, customerUid, memberId, ...terms });
    addLogFields(response, { subscription_id: subscriptionId, outcome: kind });
    if (kind !== 'created' && kind !== 'known') throw new HttpError(cardErrors.no_such_card);
  }
  response.redirect(303, linkIn(request, `/demo/subscriptions/${subscriptionId}`));
}

export async function showSubscription(context: Context, asked: MemberVisit): Promise<void> {
  const { request, response, views } = asked;
  const subscription = await ownSubscription(context, asked);
  const { subscriptionId, customerUid, paymentAt } = subscription;
  const cycles = await findCyclePayments(context, subscription);
  const payments = cycles.filter(({ status }) => status !== 'open');
  const latest = cycles.slice(0, 2).map(({ merchantUid }) => merchantUid);
  const streams = [`subscription:${subscriptionId}`, ...latest];
  const told = (await Promise.all(streams.map((stream) => toldOf(context, stream)))).flat();
  // The shop gets the event a moment after the payment.
  const isTold = told.every((event) => event.isTold) && (payments.length === 0 || told.length > 0);
  const now = context.clock.now();
  const card = toPlanCard(await findKey(context, customerUid));
  // A wallet has no number, and no form that replaces it.
  const replacePath = card && card.number !== null ? views.cardEntry?.replace(customerUid) : undefined;
  const here = `${context.config.pathPrefix}/demo/subscriptions/${subscriptionId}`;
  const cycle = await readCycle(context, subscription);
  const isPaying = isCharged(subscription) && paymentAt <= now;
  views.send(request, response, {
    status: 200,
    template: 'demo/subscription',
    texts: { ko, en },
    title: ({ demo }) => demo.plan.title,
    data: {
      subscription: subscriptionJson(subscription, cycle),
      payments,
      paidCount: payments.filter(({ paidAt }) => paidAt !== null).length,
      isPaying,
      following: followPage(request, response, isPaying || !isTold),
      card,
      // The form leads back to the plan.
      replaceCard: replacePath === undefined ? null : withReturnUrl(replacePath, here),
      isCardGone: cycle.key === 'gone',
      // Those to which the plan can be changed.
      cards: (await chargeableCards(context, asked.memberId)).filter(
        (card) => card.customerUid !== (subscription.nextCustomerUid ?? customerUid),
      ),
      registered: request.query['customer_uid'] ?? null,
      here: `/demo/subscriptions/${subscriptionId}`,
      cardNews: CARD_NEWS.find((news) => news === request.query['card']) ?? null,
      amount: { amount: subscription.amount, currency: subscription.currency },
      now,
      ordinal: englishOrdinal,
      events: told.sort((one, other) => (one.timestamp < other.timestamp ? 1 : -1)),
      console: inConsole(context.config, request, subscriptionId),
      meanwhile: await findMeanwhile(context, {
        cycles: cycles.slice(0, 2),
        told,
        inConsole: (searched) => inConsole(context.config, request, searched),
      }),
      unreachable: request.query['travel'] === 'failed',
    },
  });
}

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });
const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
const englishOrdinal = (number: number) => `${number}${ENDINGS[ORDINALS.select(number)] ?? 'th'}`;

/** The card that pays, masked. Null once it is removed: then nothing is kept of it. */
const toPlanCard = (key: StoredBillingKey | null) =>
  key && key.status !== 'removed' && { company: key.cardName, number: key.cardNumber };

export async function showNextPayment(
  context: Context,
  clock: TravellingClock,
  asked: MemberVisit,
): Promise<void> {
  const { request, response } = asked;
  const { subscriptionId, paymentAt } = await ownSubscription(context, asked);
  const { kind } = await travel(context, clock, new Date(paymentAt.getTime() + AFTER_PAYMENT_MS));
  addLogFields(response, { subscription_id: subscriptionId, outcome: kind });
  const failed = kind === 'sandbox_unreachable' ? '?travel=failed' : '';
  response.redirect(303, linkIn(request, `/demo/subscriptions/${subscriptionId}${failed}`));
}

/** Texts of the page, about the change of the card. */
const CARD_NEWS = ['cardChanged', 'cardWillChange', 'cardNotChanged'] as const;

export async function submitPlanCard(context: Context, asked: MemberVisit): Promise<void> {
  const { request, response } = asked;
  const { subscriptionId } = await ownSubscription(context, asked);
  const { pay_with: customerUid } = request.body as Record<string, unknown>;
  if (typeof customerUid !== 'string') throw new HttpError(cardErrors.forged_form);
  const { kind } = await changeSubscriptionTerms(context, subscriptionId, { customerUid });
  addLogFields(response, { subscription_id: subscriptionId, outcome: kind });
  const news: (typeof CARD_NEWS)[number] =
    kind === 'done' ? 'cardChanged' : kind === 'waiting' ? 'cardWillChange' : 'cardNotChanged';
  response.redirect(303, linkIn(request, `/demo/subscriptions/${subscriptionId}?card=${news}`));
}

export async function submitCancel(context: Context, asked: MemberVisit): Promise<void> {
  const { request, response } = asked;
  const { subscriptionId } = await ownSubscription(context, asked);
  const { kind } = await cancelSubscription(context, subscriptionId);
  addLogFields(response, { subscription_id: subscriptionId, outcome: kind });
  if (kind !== 'cancelled') throw new HttpError(demoErrors.cannot_cancel_now);
  response.redirect(303, linkIn(request, `/demo/subscriptions/${subscriptionId}`));
}

/** @throws HttpError 404 for another member's plan */
async function ownSubscription(
  context: Context,
  { request, memberId }: MemberVisit,
): Promise<StoredSubscription> {
  const id: unknown = request.params['subscription_id'];
  const subscription = isDemoSubscription(id) ? await findSubscription(context, id) : null;
  if (!subscription || subscription.memberId !== memberId) throw new HttpError(platformErrors.not_found);
  return subscription;
}
