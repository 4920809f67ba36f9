// What your shop does when the status of an order or what was given back of it has changed, or a subscription was renewed,
// could not be paid or has ended: send a mail, ship, tell another system. As shipped it writes one log line.
//
// Each event comes at least once, and may come twice: after a crash between your work and the note that it is done. Take
// `event.id` as the key of what you do. The events of one order, or of one subscription, come in their order; those of
// different ones come at the same time. An error that is thrown here, or 15 seconds without an end, means "not done": the
// event comes again, at growing gaps, for three days. docs/03-guides/4-order-events.md and docs/03-guides/6-subscriptions.md have
// examples.

import type { Context } from '../platform/context';
import type { ShopEvent } from './event';

export async function onOrderEvent(event: ShopEvent, { logger }: Context): Promise<void> {
  const { id, type, data } = event;
  logger.info({ event: 'order_event', id, type, merchant_uid: data.merchant_uid });
  await Promise.resolve();
}
