// Your shop's reaction to a change of an order's status or refunded amount, or to a subscription that was renewed,
// could not be paid or has ended: send a mail, ship, call another system. By default it writes one log line.
//
// Events are delivered at least once, so make your work idempotent with `event.id`. Events of one order or subscription
// arrive in order; others run concurrently. If this function throws or takes longer than 15 seconds, the event is
// retried at growing intervals for three days (docs/03-guides/4-order-events.md, docs/03-guides/6-subscriptions.md).

import type { Context } from '../platform/context';
import type { ShopEvent } from './event';

export async function onOrderEvent(event: ShopEvent, { logger }: Context): Promise<void> {
  const { id, type, data } = event;
  logger.info({ event: 'order_event', id, type, merchant_uid: data.merchant_uid });
  await Promise.resolve();
}
