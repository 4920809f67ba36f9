// Purchases in the demo shop: an order is registered first, then paid with a registered card or in the payment window.

import { cardErrors } from '../../core/cards/errors';
import { chargeOrder } from '../../core/charges/charge-order';
import { findBlockingCharge } from '../../core/charges/charge-store';
import { findOrder, type StoredOrder } from '../../core/orders/order-store';
import { registerOrder } from '../../core/orders/register-order';
import { depositAccount } from '../../core/payments/deposit-account';
import { payableOrders } from '../../core/payments/order-status';
import { ServiceError } from '../../payment-service/records/service-error';
import type { Context } from '../../platform/context';
import { DatabaseError, HttpError } from '../../platform/errors';
import { addLogFields } from '../../platform/http/log-fields';
import { languageOf, linkIn } from '../../platform/http/views';
import { platformErrors } from '../../platform/platform-errors';
import {
  chargeableCards,
  CURRENCY,
  findProduct,
  inConsole,
  isDemoOrder,
  newDemoOrder,
  ownOrder,
  productOf,
  toldOf,
  type MemberVisit,
  type Product,
} from './demo-shop';
import { findMemberOrders, findMemberPlans } from './demo-store';
import { followPage } from './follow-page';
import { en } from './texts.en';
import { ko } from './texts.ko';

export async function showCheckout(
  context: Context,
  { request, response, views, memberId }: MemberVisit,
): Promise<void> {
  const product = findProduct(request.params['product']);
  if (!product) throw new HttpError(platformErrors.not_found);
  // Whoever pays again pays the same order, so that it cannot be paid twice.
  const again: unknown = request.query['order'];
  const isAgain = isDemoOrder(again) && (await isOwnProduct(context, again, { product, memberId }));
  views.send(request, response, {
    status: 200,
    template: 'demo/checkout',
    texts: { ko, en },
    title: ({ demo }) => demo.products[product.id].name,
    data: {
      product,
      cards: await chargeableCards(context, memberId),
      merchantUid: isAgain ? again : newDemoOrder(),
      here: `/demo/products/${product.id}`,
    },
  });
}

export async function submitOrder(context: Context, asked: MemberVisit): Promise<void> {
  const { request, response, memberId } = asked;
  const body = request.body as Record<string, unknown>;
  const product = findProduct(body['product']);
  const { merchant_uid: merchantUid, pay_with: payWith } = body;
  if (!product || !isDemoOrder(merchantUid) || typeof payWith !== 'string')
    throw new HttpError(cardErrors.forged_form);
  const purchase: Purchase = {
    merchantUid,
    memberId,
    name: nameIn(languageOf(request), product),
    amount: product.amount,
    customerUid: payWith === 'window' ? null : payWith,
  };
  const order = `/demo/orders/${merchantUid}`;
  try {
    const outcome = await buy(context, purchase);
    addLogFields(response, { merchant_uid: merchantUid, outcome });
    response.redirect(303, linkIn(request, outcome === 'open_window' ? `${order}/window` : order));
  } catch (error) {
    // Nothing was sent (`startCharge`). The order's page says so, and lets the buyer pay again.
    if (error instanceof ServiceError)
      return response.redirect(303, linkIn(request, `${order}?problem=not_sent`));
    // The charge may have been sent before the database failed.
    if (error instanceof DatabaseError) return sendNotKnown(context, asked, { error, order });
    throw error;
  }
}

function sendNotKnown(
  { logger }: Context,
  { request, response, views }: MemberVisit,
  { error, order }: { error: DatabaseError; order: string },
): void {
  logger.error({ err: error, request_id: request.id, event: 'request_failed' });
  response.set('Retry-After', '5');
  views.send(request, response, {
    status: 503,
    template: 'demo/not-known',
    texts: { ko, en },
    title: ({ demo }) => demo.notKnown.title,
    isError: true,
    path: order,
    data: { order },
  });
}

export async function showOrders(
  context: Context,
  { request, response, views, memberId }: MemberVisit,
): Promise<void> {
  const orders = await findMemberOrders(context, memberId);
  views.send(request, response, {
    status: 200,
    template: 'demo/orders',
    texts: { ko, en },
    title: ({ demo }) => demo.orders.title,
    data: {
      orders: orders.map((order) => ({ order, product: productOf(order) })),
      plans: await findMemberPlans(context, memberId),
    },
  });
}

export async function showOrder(context: Context, asked: MemberVisit): Promise<void> {
  const { request, response, views } = asked;
  const order = await ownOrder(context, asked);
  const events = await toldOf(context, order.merchantUid);
  const isCharging = (await findBlockingCharge(context, order.merchantUid)) !== null;
  const isNotSent = request.query['problem'] === 'not_sent' && order.status === 'open' && !isCharging;
  // The shop gets the event a moment after the order has changed.
  const isOnItsWay = isCharging || ((order.status === 'open' || events.length === 0) && !isNotSent);
  views.send(request, response, {
    status: 200,
    template: 'demo/order',
    texts: { ko, en },
    title: ({ demo }) => demo.order.title,
    data: {
      order,
      events,
      isCharging,
      isNotSent,
      following: followPage(request, response, isOnItsWay),
      product: productOf(order),
      again: payAgainAddress(order),
      payment: paymentOf(order),
      console: inConsole(context.config, request, latestPayment(order) ?? order.merchantUid),
    },
  });
}

/** What the buyer needs of the payment that counts: where to pay in, or the receipt. */
function paymentOf({ status, payments }: StoredOrder) {
  const waiting =
    status === 'awaiting_deposit' ? payments.find((each) => each.status === 'ready') : undefined;
  return {
    account: waiting ? depositAccount(waiting) : null,
    receiptUrl: payments.find(({ counted }) => counted)?.receiptUrl ?? null,
  };
}

/** The one that counts, else the latest one. */
const latestPayment = ({ payments }: StoredOrder): string | undefined =>
  (payments.find(({ counted }) => counted) ?? payments.at(-1))?.svcUid;

/** The checkout of the same order; the shop if it is of no product. */
function payAgainAddress(order: StoredOrder): string {
  const product = productOf(order);
  return product ? `/demo/products/${product.id}?order=${order.merchantUid}` : '/demo';
}

/** Whether this member has ordered this product under this id, and can still pay for it. */
async function isOwnProduct(
  context: Context,
  merchantUid: string,
  { product, memberId }: { product: Product; memberId: string },
): Promise<boolean> {
  const order = await findOrder(context, merchantUid);
  return order?.memberId === memberId && productOf(order) === product && payableOrders.has(order.status);
}

const TEXTS = { ko, en };
const nameIn = (lang: keyof typeof TEXTS, { id }: Product) => TEXTS[lang].demo.products[id].name;

type Purchase = {
  merchantUid: string;
  memberId: string;
  name: string;
  amount: number;
  /** Null: pay in the payment window. */
  customerUid: string | null;
};

/**
 * Registers the order first, so that every payment for it can be verified, and then charges the chosen card.
 * Idempotent: a repeated form finds the same order, whose charge blocks another one.
 * @returns `open_window` to continue in the payment window; else the outcome of the charge, which the order's page
 * shows
 */
async function buy(context: Context, purchase: Purchase): Promise<string> {
  const { customerUid, ...order } = purchase;
  // Whoever pays again, perhaps in the other language, pays the same order.
  const name = (await findOrder(context, order.merchantUid))?.name ?? order.name;
  const { outcome } = await registerOrder(context, { ...order, name, currency: CURRENCY });
  if (outcome === 'conflict') return outcome;
  if (customerUid === null) return 'open_window';
  const { kind } = await chargeOrder(context, { merchantUid: order.merchantUid, customerUid });
  return kind;
}
