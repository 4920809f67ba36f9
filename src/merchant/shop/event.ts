// What the shop is told, as `shop/on-order-event.ts` and ORDER_EVENTS_URL receive it. An event says what has changed, and
// when; what is true by now is for `GET /api/orders/{merchant_uid}` and `GET /api/subscriptions/{id}` to say.

import type { OrderStatus } from '../../generated/prisma/client';

/** One event for one change of the status of an order, or of what was given back of it. */
export type OrderEvent = {
  /** `{merchant_uid}:{version}`: the same event again has the same id. */
  id: string;
  /**
   * `order.open` says that a payment no longer pays for the order: the service has taken it back (§3). Where only the refunded
   * amount has changed it is `order.cancelled` or `order.partially_cancelled`, and `previous_status` is `status`.
   */
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
    /** Null where the order names none, and once the member was erased. */
    member_id: string | null;
    /** The payment that changed it; null where no payment did. */
    svc_uid: string | null;
    /** What has been given back of the order by now, of all payments that count for it. 0 where nothing was. */
    refunded_amount: number;
    /** What was given back since the event before; null where nothing was, and where the service has taken a refund back. */
    refund: {
      /** More than 0. Several refunds that were found together are one event with their sum. */
      amount: number;
      /** `refunded_amount`. */
      total: number;
      /** Of `GET /api/refunds`; null where no single refund of ours explains it, such as one at the service's console. */
      refund_id: string | null;
    } | null;
    /** Of the subscription whose cycle the order pays for; null where there is none. */
    subscription_id: string | null;
  };
};

/** One event for one change of a subscription, beside the events of the orders of its cycles. */
export type SubscriptionEvent = {
  /** `subscription:{subscription_id}:{version}`. */
  id: string;
  /**
   * `renewed`: the order of the cycle is paid. `payment_failed`: it was tried, and is tried again at `next_payment_at`.
   * `ended`: nothing is charged any more.
   */
  type: 'subscription.renewed' | 'subscription.payment_failed' | 'subscription.ended';
  timestamp: string;
  data: {
    subscription_id: string;
    /** Null once the member was erased. */
    member_id: string | null;
    customer_uid: string;
    /** The cycle that the event is about, and its order. */
    cycle: number;
    merchant_uid: string;
    amount: number;
    currency: string;
    /** How often the payment of the cycle had been tried again: 0 to 3. */
    attempt: number;
    /** When the next payment is planned for, ISO 8601; null where none is to come. */
    next_payment_at: string | null;
    /** Why, in a word of ours; null for `renewed`. */
    reason: 'declined' | 'refused' | 'billing_key_not_active' | 'order_closed' | 'cancelled' | null;
  };
};

export type ShopEvent = OrderEvent | SubscriptionEvent;

/** The shop's own file: `shop/on-order-event.ts`. */
export type EventHandler<Context> = (event: ShopEvent, context: Context) => Promise<void>;
