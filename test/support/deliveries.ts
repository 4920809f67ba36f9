// Events of orders and their two targets: a handler that notes what it is given, and a receiver of the shop.

import { deliverEvents, type Handler } from '../../src/merchant/events/deliver-events';
import type { ShopEvent } from '../../src/merchant/events/event';
import { registerOrder } from '../../src/merchant/orders/register-order';
import { syncPayment } from '../../src/merchant/payments/sync-payment';
import { startContext, type RunningContext } from './context';
import { EVENTS_SECRET, startEventsReceiver, type EventsReceiver } from './events-receiver';
import { newUid, paySilently } from './orders';

/** What the row of a delivery shows once its target has taken the event. */
export const DELIVERED = { delivered: true, waiting: false, reason: null };

export type RunningDeliveries = RunningContext & {
  receiver: EventsReceiver;
  /** An order that fails and is paid: two events. Returns its merchant_uid. */
  failedThenPaid(merchantUid?: string): Promise<string>;
  deliver(handler: Handler, timeoutMs?: number): Promise<void>;
  /** The rows of one target, in the order of the events. */
  deliveriesTo(target: 'handler' | 'url'): Promise<Record<string, unknown>[]>;
};

export async function startDeliveries(): Promise<RunningDeliveries> {
  const receiver = await startEventsReceiver();
  const running = await startContext({ ORDER_EVENTS_URL: receiver.url, ORDER_EVENTS_SECRET: EVENTS_SECRET });
  const { context, rows } = running;
  return {
    ...running,
    receiver,
    async failedThenPaid(merchantUid = newUid()) {
      const order = { merchantUid, name: 'Tea', amount: 1000, currency: 'KRW', memberId: null };
      await registerOrder(context, order);
      for (const outcome of ['failed', 'paid']) {
        const { svc_uid: svcUid } = await paySilently(running, merchantUid, { outcome });
        expect((await syncPayment(context, { svcUid, merchantUid })).outcome).toBe('recorded');
      }
      return merchantUid;
    },
    deliver: (handler, timeoutMs) =>
      deliverEvents(context, handler, timeoutMs === undefined ? {} : { timeoutMs }),
    deliveriesTo: (target) =>
      rows.query(
        `select attempts, reason, delivered_at is not null as delivered, next_attempt_at is not null as waiting
         from event_deliveries where target = $1::event_target order by event_id`,
        [target],
      ),
    async close() {
      await running.close();
      await receiver.close();
    },
  };
}

/** A handler that notes what it was given and does as the test says. */
export function recordingHandler(work: (event: ShopEvent) => Promise<void> = () => Promise.resolve()) {
  const taken: string[] = [];
  const handler: Handler = async (event) => {
    taken.push(event.id);
    await work(event);
  };
  return { handler, taken };
}
