// Events of orders and who receives them: the system of a shop, and a handler.

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { deliverEvents, type Handler } from '../../src/merchant/events/deliver-events';
import type { ShopEvent } from '../../src/merchant/events/event';
import { registerOrder } from '../../src/merchant/orders/register-order';
import { syncPayment } from '../../src/merchant/payments/sync-payment';
import { startHttpServer } from './http-server';
import { newUid, paySilently } from './orders';
import { startContext } from './use-world';

export const EVENTS_SECRET = `whsec_${Buffer.from('an-event-secret-of-the-tests-012').toString('base64')}`;

export type ReceivedEvent = { id: string; isSigned: boolean; body: any };
/** Answers one request; without an answer it stays open. */
type Answer = (response: ServerResponse, event: ReceivedEvent) => void;

export type EventsReceiver = Awaited<ReturnType<typeof startEventsReceiver>>;

export const accept: Answer = (response) => void response.writeHead(204).end();

/** @param secret the one that this receiver knows */
export async function startEventsReceiver(secret = EVENTS_SECRET) {
  const received: ReceivedEvent[] = [];
  let answer = accept;
  const server = await startHttpServer(({ headers, body }, response) => {
    const id = String(headers['webhook-id']);
    const event = { id, isSigned: isSigned(secret, body, headers), body: JSON.parse(body) };
    received.push(event);
    answer(response, event);
  });
  return {
    url: `${server.url}/hooks/orders`,
    received,
    /** `{order}:{version} {type}` of what was received, in its order. */
    told: () => received.map(({ id, body }) => `${id} ${body.type}`),
    answerWith: (next: Answer) => void (answer = next),
    close: server.close,
  };
}

function isSigned(secret: string, text: string, headers: IncomingHttpHeaders): boolean {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** What the row of a delivery shows once its target has taken the event. */
export const DELIVERED = { delivered: true, waiting: false, reason: null };

export type RunningDeliveries = Awaited<ReturnType<typeof startDeliveries>>;

export async function startDeliveries() {
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
      deliverEvents(context, handler, timeoutMs === undefined ? {} : { timeoutMs }),
    /** The rows of one target, in the order of the events. */
    deliveriesTo: (target: 'handler' | 'url') =>
      rows.query(
        `select attempts, reason, delivered_at is not null as delivered, next_attempt_at is not null as waiting
         from event_deliveries where target = $1::event_target order by event_id`,
        [target],
      ),
    async close(): Promise<void> {
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
