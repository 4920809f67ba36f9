// What the shop is told, as `shop/on-order-event.ts` and ORDER_EVENTS_URL receive it. An event says what has changed, and
// when; what is true by now is for `GET /api/orders/{merchant_uid}` to say.

import type { OrderStatus } from '../../generated/prisma/client';

/** One event for one change of the status of an order. */
export type OrderEvent = {
  /** `{merchant_uid}:{version}`: the same event again has the same id. */
  id: string;
  /** `order.open` says that a payment no longer pays for the order: the service has taken it back (§3). */
  type: `order.${OrderStatus}`;
  /** When it changed, ISO 8601. */
  timestamp: string;
  data: {
    merchant_uid: string;
    status: OrderStatus;
    previous_status: OrderStatus;
    /** Of the order after the change. Grows; not every number has an event. */
    version: number;
    /** That of the order, in the currency's unit of §2.4. */
    amount: number;
    currency: string;
    /** Null where the order names none. */
    member_id: string | null;
    /** The payment that changed it; null where no payment did. */
    svc_uid: string | null;
  };
};

export type ShopEvent = OrderEvent;

/** The shop's own file: `shop/on-order-event.ts`. */
export type EventHandler<Context> = (event: ShopEvent, context: Context) => Promise<void>;
