// A purchase in the demo shop: an order is registered first, and then paid with a registered card or in the payment window.

import { cardErrors } from '../../core/cards/errors';
import { findOrder, type StoredOrder } from '../../core/orders/order-store';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { addLogFields } from '../../platform/http/request-log';
import { linkIn } from '../../platform/http/views';
import { platformErrors } from '../../platform/platform-errors';
import { buy, type Purchase } from './buy';
import { findProduct, isDemoOrder, newDemoOrder } from './products';
import { en } from './texts.en';
import { ko } from './texts.ko';
import { chargeableCards, toldOf, type MemberVisit } from './visit';
import { sandboxOrigin, windowAddress } from './window-address';

/** While something is on its way. */
const REFRESH_SECONDS = 2;
/** After a minute the reader decides. */
const MOST_REFRESHES = 30;

export async function showCheckout(
  context: Context,
  { request, response, views, memberId }: MemberVisit,
): Promise<void> {
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

export async function submitOrder(
  context: Context,
  { request, response, memberId }: MemberVisit,
): Promise<void> {
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
export async function openWindow(context: Context, visit: MemberVisit): Promise<void> {
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

export async function showOrder(context: Context, visit: MemberVisit): Promise<void> {
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

function countRefreshes({ query }: MemberVisit['request']): number {
  const { refreshed } = query;
  return typeof refreshed === 'string' && /^\d{1,3}$/.test(refreshed) ? Number(refreshed) : 0;
}

/** @throws HttpError 404 for an order of somebody else, and for one of another shop */
async function ownOrder(context: Context, { request, memberId }: MemberVisit): Promise<StoredOrder> {
  const merchantUid: unknown = request.params['merchant_uid'];
  const order = isDemoOrder(merchantUid) ? await findOrder(context, merchantUid) : null;
  if (!order || order.memberId !== memberId) throw new HttpError(platformErrors.not_found);
  return order;
}
