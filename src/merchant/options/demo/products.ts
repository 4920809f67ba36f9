// What the demo shop sells. The page names them in its texts; an order carries the Korean name, as its receipt would.

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
