// Your shop's reaction to a change of an order's status or refunded amount, to a subscription that was renewed, could not
// be paid or has ended, and to a card that was registered, replaced or removed: send an email, ship, call another system.
// By default it writes one log line. For several reactions that do not wait for each other, export them by name:
// `export const onOrderEvent = { mail: sendMail, shipping: ship };`.
//
// Events are delivered at least once, so make your work idempotent with `event.id`. Events of one order, subscription or
// card arrive in order; others run concurrently. If this function throws or takes longer than 15 seconds, the event is
// retried at growing intervals for three days (docs/03-guides/4-order-events.md, docs/03-guides/6-subscriptions.md).

import type { Context } from '../platform/context';
import type { ShopEvent } from './event';

export async function onOrderEvent(event: ShopEvent, { logger }: Context): Promise<void> {
  const { id, type } = event;
  logger.info({ event: 'order_event', id, type });
  await Promise.resolve();
}
