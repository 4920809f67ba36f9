// Common parts of the demo shop's pages: products, ids of orders and subscriptions, the visitor, the cards that can
// pay, and the events sent to the shop. An order has the name in the language of the page on which it was bought.

import { findCards } from '../../core/billing-keys/billing-key-store';
import { toCardList } from '../../core/cards/card-list';
import { findEvents, toShopEvent } from '../../core/events/event-store';
import { URL_TARGET } from '../../core/events/handlers';
import { findOrder, type StoredOrder } from '../../core/orders/order-store';
import type { Config } from '../../platform/config';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import type { PageRequest } from '../../platform/http/page-request';
import { languageOf } from '../../platform/http/views';
import { platformErrors } from '../../platform/platform-errors';
import { randomLetters } from '../../platform/random-letters';
import { en } from './texts.en';
import { ko } from './texts.ko';

export const PRODUCTS = [
  { id: 'tea', amount: 12_000 },
  { id: 'cup', amount: 18_000 },
  { id: 'teapot', amount: 54_000 },
] as const;

export const PLAN = { amount: 9_900, interval: 'month' } as const;

export const CURRENCY = 'KRW';

export type Product = (typeof PRODUCTS)[number];

/** Null if it is not sold here. */
export function findProduct(id: unknown): Product | null {
  return PRODUCTS.find((product) => product.id === id) ?? null;
}

/** What was ordered. An order has the name only. */
export const productOf = ({ name }: Pick<StoredOrder, 'name'>): Product | null =>
  PRODUCTS.find(({ id }) => [ko, en].some(({ demo }) => demo.products[id].name === name)) ?? null;

/**
 * The page generates the id and its form carries it, so a form sent twice names the same order, and no order is paid
 * twice.
 */
const ORDER = /^demo-[0-9a-p]{16}$/;
const SUBSCRIPTION = /^demo-plan-[0-9a-p]{12}$/;

export const newDemoOrder = (): string => `demo-${randomLetters(8)}`;
export const newDemoSubscription = (): string => `demo-plan-${randomLetters(6)}`;

/** Members send ids in forms and URLs. The pattern prevents access to a shop's other orders. */
export const isDemoOrder = (text: unknown): text is string => typeof text === 'string' && ORDER.test(text);
export const isDemoSubscription = (text: unknown): text is string =>
  typeof text === 'string' && SUBSCRIPTION.test(text);

export type MemberVisit = PageRequest & { memberId: string };

/** @throws HttpError 404 for another member's order, and for an order that is not of the demo shop */
export async function ownOrder(context: Context, { request, memberId }: MemberVisit): Promise<StoredOrder> {
  const merchantUid: unknown = request.params['merchant_uid'];
  const order = isDemoOrder(merchantUid) ? await findOrder(context, merchantUid) : null;
  if (!order || order.memberId !== memberId) throw new HttpError(platformErrors.not_found);
  return order;
}

/** More events than an order or a cycle ever has. */
const EVENTS_SHOWN = 30;

export async function chargeableCards(context: Context, memberId: string) {
  const cards = toCardList(await findCards(context, memberId), context.clock.now());
  return cards.filter(({ isChargeable }) => isChargeable);
}

/** The events of a stream, and whether each handler of `shop/on-order-event.ts` has received each of them. */
export async function toldOf(context: Context, stream: string) {
  const events = await findEvents(context, { stream }, EVENTS_SHOWN);
  return events.map((event) => {
    const toHandlers = event.deliveries.filter(({ target }) => target !== URL_TARGET);
    return {
      ...toShopEvent(event),
      isTold: toHandlers.length > 0 && toHandlers.every(({ deliveredAt }) => deliveredAt !== null),
    };
  });
}

/** What happened to an order, or to the orders of a plan, in the sandbox's console. */
export const inConsole = (config: Config, request: PageRequest['request'], searched: string): string =>
  `${sandboxOrigin(config, request)}/console?q=${encodeURIComponent(searched)}&lang=${languageOf(request)}`;

/** The sandbox listens on this machine, so the browser reaches it under our host name. */
export function sandboxOrigin(
  { service }: Pick<Config, 'service'>,
  { hostname }: { hostname: string },
): string {
  const url = new URL(service.baseUrl);
  url.hostname = hostname;
  return url.origin;
}
