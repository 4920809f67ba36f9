// With ANNOUNCE_ORDERS the service is told the amount of an order (§4.9), so that it refuses another one before any money
// moves. It is a second lock: the judgement of every payment stays as it is.

import type { Context } from '../../platform/context';
import type { NewOrder } from './order-store';

/**
 * Called for orders that wait for a buyer: a key-in payment or a schedule names its amount itself. A failure neither
 * holds an order up for long nor fails it, and nothing sends the announcement again.
 */
export async function announceOrder(
  { config, service, logger }: Context,
  { merchantUid, amount }: NewOrder,
): Promise<void> {
  if (!config.announceOrders) return;
  try {
    await service.preparePayment(merchantUid, amount);
  } catch (error) {
    logger.warn({ event: 'order_not_announced', merchant_uid: merchantUid, err: error });
  }
}
