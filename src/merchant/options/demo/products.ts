// What the demo shop sells, and the ids of its orders and subscriptions. The page names products in its texts; an order carries
// the Korean name, as its receipt would.

import { randomBytes } from 'node:crypto';

export const PRODUCTS = [
  { id: 'tea', name: '우전 녹차 80g', amount: 12_000 },
  { id: 'cup', name: '백자 찻잔', amount: 18_000 },
  { id: 'teapot', name: '옹기 다관', amount: 54_000 },
] as const;

export const PLAN = { name: '이달의 차', amount: 9_900, interval: 'month' } as const;

export const CURRENCY = 'KRW';

export type Product = (typeof PRODUCTS)[number];

/** Null if it is not sold here. */
export function findProduct(id: unknown): Product | null {
  return PRODUCTS.find((product) => product.id === id) ?? null;
}

/**
 * A page makes the id before its form is sent, and the form carries it: sent twice, it names the same order, and no order is
 * paid twice.
 */
const ORDER = /^demo-[0-9a-f]{16}$/;
const SUBSCRIPTION = /^demo-plan-[0-9a-f]{12}$/;

export const newDemoOrder = (): string => `demo-${randomBytes(8).toString('hex')}`;
export const newDemoSubscription = (): string => `demo-plan-${randomBytes(6).toString('hex')}`;

/** A member names ids in forms and addresses: of a shop's other orders none is reached. */
export const isDemoOrder = (text: unknown): text is string => typeof text === 'string' && ORDER.test(text);
export const isDemoSubscription = (text: unknown): text is string =>
  typeof text === 'string' && SUBSCRIPTION.test(text);
