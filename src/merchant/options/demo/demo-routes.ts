// The landing page, and, in sandbox mode only, the demo shop, which shows how a shop calls this server.

import { Router } from 'express';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { addLogFields } from '../../platform/http/log-fields';
import { originCheck } from '../../platform/http/origin-check';
import { pagesOf, readForm, type PageRequest } from '../../platform/http/page-request';
import { ownUrl } from '../../platform/http/path-prefix';
import { parseReturnUrl } from '../../platform/http/return-url';
import { curlCommand } from '../../platform/http/route-description';
import { shopOf } from '../../platform/http/shop-files';
import { linkIn, type Views } from '../../platform/http/views';
import { showCheckout, showOrder, showOrders, submitOrder } from './demo-orders';
import {
  demoErrors,
  showNextPayment,
  showPlan,
  showSubscription,
  submitCancel,
  submitPlan,
  submitPlanCard,
} from './demo-plan';
import { PLAN, PRODUCTS, sandboxOrigin, type MemberVisit } from './demo-shop';
import { findState } from './demo-store';
import { showKeyWindow, showWindowPage, submitKeyRequest } from './demo-window';
import { en } from './texts.en';
import { ko } from './texts.ko';
import { RESET_CLOCK_PATH, travelBack, type TravellingClock } from './travel';

/** As in the README and in the banner of `npm start`. */
const FIRST_ORDER = {
  method: 'POST',
  path: '/api/orders',
  needsKey: true,
  body: '{"merchant_uid":"tea-1","name":"Green tea","amount":12000}',
};

/** The options whose pages it links to. */
const OPTION_OF: Record<string, string> = {
  '/cards/new': 'card-form',
  '/operator': 'operator',
  '/docs': 'api-docs',
};

/** An overview with links. Production has no such page. */
export function landingRoutes(context: Context, views: Views): Router {
  const { config } = context;
  const router = Router({ strict: true, caseSensitive: true });
  router.get('/', originCheck(config), async (request, response) => {
    views.send(request, response, {
      status: 200,
      template: 'demo/landing',
      texts: { ko, en },
      title: ({ landing }) => landing.title,
      data: {
        firstOrder: curlCommand(FIRST_ORDER, ownUrl(config, request)),
        isThere(path: string): boolean {
          const option = OPTION_OF[path];
          if (path.startsWith('/demo')) return config.sandboxMode;
          return option === undefined || views.isThere(option);
        },
        sandbox: config.sandboxMode ? sandboxOrigin(config, request) : null,
        // The page also opens while the database does not answer.
        state: await findState(context).catch(() => null),
      },
    });
  });
  return router;
}

export function demoRoutes(context: Context, views: Views, clock: TravellingClock): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const asked = pagesOf(context, views);
  const page = (handle: MemberPage) =>
    asked(async (_, each) => {
      const memberId = await shopOf(each.request).requireMember(each.request, each.response);
      if (memberId !== null) await handle(context, { ...each, memberId });
    });
  /** POST never creates a member; it requires one, because only a member's page has the form. */
  const post = (handle: MemberPage) =>
    asked(async (_, each) => {
      const memberId = await shopOf(each.request).currentMember(each.request);
      if (memberId === null) return each.response.redirect(303, linkIn(each.request, '/demo'));
      await handle(context, { ...each, memberId });
    });
  router.use('/demo', originCheck(context.config));
  router.post(
    RESET_CLOCK_PATH,
    ...readForm,
    asked((_, each) => resetClock(context, clock, each)),
  );
  router.get('/demo', page(showShop));
  router.get('/demo/products/:product', page(showCheckout));
  router.get('/demo/plan', page(showPlan));
  router.get('/demo/orders', page(showOrders));
  router.post('/demo/orders', ...readForm, post(submitOrder));
  router.get('/demo/orders/:merchant_uid', page(showOrder));
  router.get('/demo/orders/:merchant_uid/window', page(showWindowPage));
  router.post('/demo/keys', post(submitKeyRequest));
  router.get('/demo/keys/:customer_uid/window', page(showKeyWindow));
  router.post('/demo/subscriptions', ...readForm, post(submitPlan));
  router.get('/demo/subscriptions/:subscription_id', page(showSubscription));
  router.post(
    '/demo/subscriptions/:subscription_id/next',
    post((_, each) => showNextPayment(context, clock, each)),
  );
  router.post('/demo/subscriptions/:subscription_id/card', ...readForm, post(submitPlanCard));
  router.post('/demo/subscriptions/:subscription_id/cancel', post(submitCancel));
  return router;
}

async function resetClock(
  context: Context,
  clock: TravellingClock,
  { request, response }: PageRequest,
): Promise<void> {
  const { kind } = await travelBack(context, clock);
  addLogFields(response, { outcome: kind });
  if (kind !== 'arrived') throw new HttpError(demoErrors.clock_not_moved);
  const { back } = request.body as Record<string, unknown>;
  response.redirect(303, parseReturnUrl(THIS_SERVER, back) ?? linkIn(request, '/demo'));
}

/** Only paths of this server are allowed. */
const THIS_SERVER = { returnOrigins: [] };

type MemberPage = (context: Context, asked: MemberVisit) => Promise<void>;

function showShop(_context: Context, { request, response, views }: MemberVisit): Promise<void> {
  views.send(request, response, {
    status: 200,
    template: 'demo/shop',
    texts: { ko, en },
    title: ({ demo }) => demo.header.name,
    data: { products: PRODUCTS, plan: PLAN },
  });
  return Promise.resolve();
}
