// The demo shop, in sandbox mode only: what a shop does with the calls of this server.

import { Router, type RequestHandler } from 'express';
import type { Context } from '../../platform/context';
import { originCheck } from '../../platform/http/origin-check';
import { readForm } from '../../platform/http/read-form';
import { currentMember, requireMember } from '../../platform/http/shop-files';
import { linkIn, type Views } from '../../platform/http/views';
import { openWindow, showCheckout, showOrder, submitOrder } from './demo-orders';
import { showNextPayment, showPlan, showSubscription, submitCancel, submitPlan } from './demo-plan';
import { PLAN, PRODUCTS } from './products';
import { en } from './texts.en';
import { ko } from './texts.ko';
import type { TravellingClock } from './travelling-clock';
import type { Visit } from './visit';

export function demoRoutes(context: Context, views: Views, clock: TravellingClock): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const page =
    (handle: (visit: Visit) => Promise<void>): RequestHandler =>
    async (request, response) => {
      const memberId = await requireMember(request, response);
      if (memberId !== null) await handle({ request, response, views, memberId });
    };
  /** POST never creates a member: a stranger has no form. */
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
