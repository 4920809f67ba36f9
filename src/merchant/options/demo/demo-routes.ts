// The demo shop, in sandbox mode only: what a shop does with the calls of this server. A purchase is an order that is
// registered first, and then paid with a registered card or in the payment window; a plan is a subscription. What the shop
// is told of them stands beside them.

import { Router, type Request, type RequestHandler, type Response } from 'express';
import { findCards } from '../../core/billing-keys/billing-key-store';
import { toCardList } from '../../core/cards/card-list';
import { cardErrors } from '../../core/cards/errors';
import { findEvents, toShopEvent } from '../../core/events/event-store';
import { findOrder, type StoredOrder } from '../../core/orders/order-store';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { originCheck } from '../../platform/http/origin-check';
import { readForm } from '../../platform/http/read-form';
import { addLogFields } from '../../platform/http/request-log';
import { currentMember, requireMember } from '../../platform/http/shop-files';
import { linkIn, type Views } from '../../platform/http/views';
import { platformErrors } from '../../platform/platform-errors';
import { cancelSubscription } from '../subscriptions/cancel-subscription';
import { createSubscription } from '../subscriptions/create-subscription';
import { readCycle } from '../subscriptions/cycle-store';
import { subscriptionJson } from '../subscriptions/subscription-schema';
import { cycleOrder, findSubscription, type StoredSubscription } from '../subscriptions/subscription-store';
import { buy, type Purchase } from './buy';
import { demoErrors } from './errors';
import {
  CURRENCY,
  findProduct,
  isDemoOrder,
  isDemoSubscription,
  newDemoOrder,
  newDemoSubscription,
  PLAN,
  PRODUCTS,
} from './products';
import { en } from './texts.en';
import { ko } from './texts.ko';
import { travel } from './travel';
import type { TravellingClock } from './travelling-clock';
import { sandboxOrigin, windowAddress } from './window-address';

/** A minute after the time of a payment it has been made. */
const AFTER_PAYMENT_MS = 60_000;
/** While something is on its way. */
const REFRESH_SECONDS = 2;
/** Beside an order: more than one ever has. */
const EVENTS_SHOWN = 30;

type Visit = { request: Request; response: Response; views: Views; memberId: string };

export function demoRoutes(context: Context, views: Views, clock: TravellingClock): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const page =
    (handle: (visit: Visit) => Promise<void>): RequestHandler =>
    async (request, response) => {
      const memberId = await requireMember(request, response);
      if (memberId !== null) await handle({ request, response, views, memberId });
    };
  /** A post makes no member: a stranger has no form. */
  const post =
    (handle: (visit: Visit) => Promise<void>): RequestHandler =>
    async (request, response) => {
      const memberId = await currentMember(request);
      if (memberId === null) return response.redirect(303, linkIn(request, '/demo'));
      await handle({ request, response, views, memberId });
    };
  router.use('/demo', originCheck(context.config));
  router.get(
    '/demo',
    page((visit) => showShop(context, visit)),
  );
  router.get(
    '/demo/products/:product',
    page((visit) => showCheckout(context, visit)),
  );
  router.get(
    '/demo/plan',
    page((visit) => showPlan(context, visit)),
  );
  router.post(
    '/demo/orders',
    ...readForm,
    post((visit) => submitOrder(context, visit)),
  );
  router.get(
    '/demo/orders/:merchant_uid',
    page((visit) => showOrder(context, visit)),
  );
  router.get(
    '/demo/orders/:merchant_uid/window',
    page((visit) => openWindow(context, visit)),
  );
  router.post(
    '/demo/subscriptions',
    ...readForm,
    post((visit) => submitPlan(context, visit)),
  );
  router.get(
    '/demo/subscriptions/:subscription_id',
    page((visit) => showSubscription(context, visit)),
  );
  router.post(
    '/demo/subscriptions/:subscription_id/next',
    post((visit) => showNextPayment(context, clock, visit)),
  );
  router.post(
    '/demo/subscriptions/:subscription_id/cancel',
    post((visit) => submitCancel(context, visit)),
  );
  return router;
}

function showShop(_context: Context, { request, response, views }: Visit): Promise<void> {
  views.send(request, response, {
    status: 200,
    template: 'demo/shop',
    texts: { ko, en },
    title: ({ demo }) => demo.title,
    data: { products: PRODUCTS, plan: PLAN },
  });
  return Promise.resolve();
}

async function showCheckout(context: Context, { request, response, views, memberId }: Visit): Promise<void> {
  const product = findProduct(request.params['product']);
  if (!product) throw new HttpError(platformErrors.not_found);
  views.send(request, response, {
    status: 200,
    template: 'demo/checkout',
    texts: { ko, en },
    title: ({ demo }) => demo.products[product.id],
    data: {
      product,
      cards: await chargeableCards(context, memberId),
      merchantUid: newDemoOrder(),
      here: `/demo/products/${product.id}`,
    },
  });
}

async function showPlan(context: Context, { request, response, views, memberId }: Visit): Promise<void> {
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
    },
  });
}

async function submitOrder(context: Context, { request, response, memberId }: Visit): Promise<void> {
  const body = request.body as Record<string, unknown>;
  const product = findProduct(body['product']);
  const { merchant_uid: merchantUid, pay_with: payWith } = body;
  if (!product || !isDemoOrder(merchantUid) || typeof payWith !== 'string')
    throw new HttpError(cardErrors.forged_form);
  const purchase: Purchase = {
    merchantUid,
    memberId,
    name: product.name,
    amount: product.amount,
    customerUid: payWith === 'window' ? null : payWith,
  };
  const outcome = await buy(context, purchase);
  addLogFields(response, { merchant_uid: merchantUid, outcome });
  const order = `/demo/orders/${merchantUid}`;
  response.redirect(303, linkIn(request, outcome === 'open_window' ? `${order}/window` : order));
}

/**
 * Leads to the payment window. A redirect would be held against the content policy of the page whose form was sent: the
 * page that is shown for a moment leads on by a header, and by a link.
 */
async function openWindow(context: Context, visit: Visit): Promise<void> {
  const { request, response, views } = visit;
  const order = await ownOrder(context, visit);
  const address = windowAddress(context.config, request, order);
  response.set('Refresh', `0; url=${address}`);
  views.send(request, response, {
    status: 200,
    template: 'demo/window',
    texts: { ko, en },
    title: ({ demo }) => demo.window.title,
    data: { address },
  });
}

async function showOrder(context: Context, visit: Visit): Promise<void> {
  const { request, response, views } = visit;
  const order = await ownOrder(context, visit);
  const events = await toldOf(context, order.merchantUid);
  // The shop is told a moment after the order has changed.
  const isOnItsWay = order.status === 'open' || events.length === 0;
  const refreshes = countRefreshes(request);
  if (isOnItsWay && refreshes < MOST_REFRESHES)
    response.set(
      'Refresh',
      `${REFRESH_SECONDS}; url=${linkIn(request, `${request.path}?refreshed=${refreshes + 1}`)}`,
    );
  views.send(request, response, {
    status: 200,
    template: 'demo/order',
    texts: { ko, en },
    title: ({ demo }) => demo.order.title,
    data: { order, events, console: `${sandboxOrigin(context.config, request)}/console` },
  });
}

/** After a minute the reader decides. */
const MOST_REFRESHES = 30;

function countRefreshes({ query }: Request): number {
  const { refreshed } = query;
  return typeof refreshed === 'string' && /^\d{1,3}$/.test(refreshed) ? Number(refreshed) : 0;
}

async function submitPlan(context: Context, { request, response, memberId }: Visit): Promise<void> {
  const { subscription_id: subscriptionId, pay_with: customerUid } = request.body as Record<string, unknown>;
  if (!isDemoSubscription(subscriptionId) || typeof customerUid !== 'string')
    throw new HttpError(cardErrors.forged_form);
  const known = await findSubscription(context, subscriptionId);
  // The form was sent twice: its first payment was due at another moment.
  if (known === null) {
    const { name, amount, interval } = PLAN;
    const firstPaymentAt = new Date(Math.floor(context.clock.now().getTime() / 1000) * 1000);
    const terms = { name, amount, interval, currency: CURRENCY, firstPaymentAt };
    const { kind } = await createSubscription(context, { subscriptionId, customerUid, memberId, ...terms });
    addLogFields(response, { subscription_id: subscriptionId, outcome: kind });
    if (kind !== 'created' && kind !== 'known') throw new HttpError(cardErrors.no_such_card);
  }
  response.redirect(303, linkIn(request, `/demo/subscriptions/${subscriptionId}`));
}

async function showSubscription(context: Context, visit: Visit): Promise<void> {
  const { request, response, views } = visit;
  const subscription = await ownSubscription(context, visit);
  const { subscriptionId, cycle } = subscription;
  const streams = [`subscription:${subscriptionId}`, cycleOrder(subscription)];
  if (cycle > 1) streams.push(cycleOrder({ subscriptionId, cycle: cycle - 1 }));
  const told = await Promise.all(streams.map((stream) => toldOf(context, stream)));
  const now = context.clock.now();
  views.send(request, response, {
    status: 200,
    template: 'demo/subscription',
    texts: { ko, en },
    title: ({ demo }) => demo.plan.title,
    data: {
      subscription: subscriptionJson(subscription, await readCycle(context, subscription), now),
      now,
      events: told.flat().sort((one, other) => (one.timestamp < other.timestamp ? 1 : -1)),
      console: `${sandboxOrigin(context.config, request)}/console`,
      unreachable: request.query['travel'] === 'failed',
    },
  });
}

async function showNextPayment(context: Context, clock: TravellingClock, visit: Visit): Promise<void> {
  const { request, response } = visit;
  const { subscriptionId, paymentAt } = await ownSubscription(context, visit);
  const { kind } = await travel(context, clock, new Date(paymentAt.getTime() + AFTER_PAYMENT_MS));
  addLogFields(response, { subscription_id: subscriptionId, outcome: kind });
  const failed = kind === 'sandbox_unreachable' ? '?travel=failed' : '';
  response.redirect(303, linkIn(request, `/demo/subscriptions/${subscriptionId}${failed}`));
}

async function submitCancel(context: Context, visit: Visit): Promise<void> {
  const { request, response } = visit;
  const { subscriptionId } = await ownSubscription(context, visit);
  const { kind } = await cancelSubscription(context, subscriptionId);
  addLogFields(response, { subscription_id: subscriptionId, outcome: kind });
  if (kind !== 'cancelled') throw new HttpError(demoErrors.cannot_cancel_now);
  response.redirect(303, linkIn(request, `/demo/subscriptions/${subscriptionId}`));
}

async function chargeableCards(context: Context, memberId: string) {
  const cards = toCardList(await findCards(context, memberId), context.clock.now());
  return cards.filter(({ isChargeable }) => isChargeable);
}

/** @throws HttpError 404 for an order of somebody else, and for one of another shop */
async function ownOrder(context: Context, { request, memberId }: Visit): Promise<StoredOrder> {
  const merchantUid: unknown = request.params['merchant_uid'];
  const order = isDemoOrder(merchantUid) ? await findOrder(context, merchantUid) : null;
  if (!order || order.memberId !== memberId) throw new HttpError(platformErrors.not_found);
  return order;
}

/** @throws HttpError 404 for the plan of somebody else */
async function ownSubscription(context: Context, { request, memberId }: Visit): Promise<StoredSubscription> {
  const id: unknown = request.params['subscription_id'];
  const subscription = isDemoSubscription(id) ? await findSubscription(context, id) : null;
  if (!subscription || subscription.memberId !== memberId) throw new HttpError(platformErrors.not_found);
  return subscription;
}

/** What `shop/on-order-event.ts` was told, or will be in a moment. */
async function toldOf(context: Context, stream: string) {
  const events = await findEvents(context, { stream }, EVENTS_SHOWN);
  return events.map((event) => ({
    ...toShopEvent(event),
    isTold: event.deliveries.some(({ target, deliveredAt }) => target === 'handler' && deliveredAt !== null),
  }));
}
