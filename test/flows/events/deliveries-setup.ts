// The deliveries of a merchant whose shop has handlers and an ORDER_EVENTS_URL.

import { deliverEvents } from '../../../src/merchant/core/events/deliver-events';
import type { Handler, Handlers } from '../../../src/merchant/core/events/handlers';
import { registerOrder } from '../../../src/merchant/core/orders/register-order';
import { syncPayment } from '../../../src/merchant/core/payments/sync-payment';
import type { Context } from '../../../src/merchant/platform/context';
import type { ShopEvent } from '../../../src/merchant/shop/event';
import { openForAll } from '../../support/open-between';
import { newUid, paySilently } from '../../support/orders';
import { accept, EVENTS_SECRET, startEventsReceiver } from '../../support/shop-events';
import { startContext } from '../../support/use-world';

/** What the row of a delivery shows once its target has taken the event. */
export const DELIVERED = { delivered: true, waiting: false, reason: null };

/** The two events of `failedThenPaid`, as the receiver got them. */
export const receivedOf = (merchantUid: string) => [
  `${merchantUid}:1 order.failed`,
  `${merchantUid}:2 order.paid`,
];

/** A process whose shop has these handlers. */
export const withHandlers = (eventHandlers: Handlers, context: Context): Context => ({
  ...context,
  features: [{ name: 'shop', eventHandlers }],
  state: new Map(),
});

/** For all tests of a file. Each begins without events, and with a receiver that accepts them. */
export function useDeliveries() {
  const running = openForAll(startDeliveries);
  beforeEach(() => running.clear());
  return running;
}

async function startDeliveries() {
  const receiver = await startEventsReceiver();
  const running = await startContext({ ORDER_EVENTS_URL: receiver.url, ORDER_EVENTS_SECRET: EVENTS_SECRET });
  const { context, rows } = running;
  return {
    ...running,
    receiver,
    /** An order that fails and is paid: two events. Returns its merchant_uid. */
    async failedThenPaid(merchantUid = newUid()): Promise<string> {
      const order = { merchantUid, name: 'Tea', amount: 1000, currency: 'KRW', memberId: null };
      await registerOrder(context, order);
      for (const outcome of ['failed', 'paid']) {
        const { svc_uid: svcUid } = await paySilently(running, merchantUid, { outcome });
        expect((await syncPayment(context, { svcUid, merchantUid })).outcome).toBe('recorded');
      }
      return merchantUid;
    },
    deliver: (handler: Handler, timeoutMs?: number) =>
      deliverEvents(withHandlers({ handler }, context), timeoutMs === undefined ? {} : { timeoutMs }),
    /** The rows of one target, in the order of the events. */
    deliveriesTo: (target: string) =>
      rows.query(
        `select attempts, reason, delivered_at is not null as delivered, next_attempt_at is not null as waiting
         from event_deliveries where target = $1 order by event_id`,
        [target],
      ),
    async clear(): Promise<void> {
      await rows.query('truncate events cascade');
      running.log.clear();
      receiver.received.splice(0);
      receiver.answerWith(accept);
    },
    async close(): Promise<void> {
      await running.close();
      await receiver.close();
    },
  };
}

/** A handler that records what it was given and does what the test says. */
export function recordingHandler(work: (event: ShopEvent) => Promise<void> = () => Promise.resolve()) {
  const taken: string[] = [];
  const handler: Handler = async (event) => {
    taken.push(event.id);
    await work(event);
  };
  return { handler, taken };
}
