// src/merchant/shop/on-order-event.ts as shipped: tests use this one (jest-project.cjs).

import type { Context } from '../../../src/merchant/platform/context';
import type { ShopEvent } from '../../../src/merchant/shop/event';

export async function onOrderEvent(event: ShopEvent, { logger }: Context): Promise<void> {
  const { id, type } = event;
  logger.info({ event: 'order_event', id, type });
  await Promise.resolve();
}
