// The events that `shop/on-order-event.ts` and ORDER_EVENTS_URL receive. An event says what changed, and when; the
// current state is at `GET /api/orders/{merchant_uid}`, `GET /api/subscriptions/{id}` and `GET
// /api/members/{member_id}/cards`.

import type { OrderStatus } from '../../generated/prisma/client';

/** One event per change of an order's status or of its refunded amount. */
export type OrderEvent = {
  /** `{merchant_uid}:{version}`: a repeated delivery has the same id. */
  id: string;
  /**
   * `order.open`: a payment no longer pays for the order, because the service has taken it back (§3). If only the
   * refunded amount has changed, it is `order.cancelled` or `order.partially_cancelled`, and `previous_status` equals
   * `status`.
   */
  type: `order.${OrderStatus}`;
  /** Time of the change, ISO 8601. */
  timestamp: string;
  data: {
    merchant_uid: string;
    status: OrderStatus;
    previous_status: OrderStatus;
    /** The order's version after the change. It grows; not every number has an event. */
    version: number;
    /** The order's amount, in the currency's unit of §2.4. */
    amount: number;
    currency: string;
    /** Null if the order names no member, or the member was erased. */
    member_id: string | null;
    /** The payment that caused the change; null if no payment did. */
    svc_uid: string | null;
    /** Total refunded so far, over all payments that count for the order; 0 if none. */
    refunded_amount: number;
    /** What was refunded since the event before; null if nothing was, or if the service has reversed a refund. */
    refund: {
      /** More than 0. Refunds that were found together are one event with their sum. */
      amount: number;
      /** `refunded_amount`. */
      total: number;
      /**
       * An id of `GET /api/refunds`; null if no single refund of ours explains it, for example one made in the
       * service's console.
       */
      refund_id: string | null;
    } | null;
    /** The subscription whose cycle the order pays for; null if there is none. */
    subscription_id: string | null;
  };
};

/** One event per change of a subscription, in addition to the events of its cycles' orders. */
export type SubscriptionEvent = {
  /** `subscription:{subscription_id}:{version}`. */
  id: string;
  /**
   * `renewed`: the order of the cycle is paid. `payment_failed`: the payment failed; the next try is at
   * `next_payment_at`.
   * `ended`: there are no further charges. `schedule_refused`: the service refuses to schedule the payment, once for each
   * payment. It is tried again, and we make the payment at `next_payment_at` ourselves. `changed`, `paused`, `resumed`: from
   * the cycle of this event on.
   */
  type:
    | 'subscription.renewed'
    | 'subscription.payment_failed'
    | 'subscription.ended'
    | 'subscription.schedule_refused'
    | 'subscription.changed'
    | 'subscription.paused'
    | 'subscription.resumed';
  timestamp: string;
  data: {
    subscription_id: string;
    /** Null if the member was erased. */
    member_id: string | null;
    customer_uid: string;
    /** The cycle of this event, and its order. */
    cycle: number;
    merchant_uid: string;
    amount: number;
    currency: string;
    /** Retries of the cycle's payment so far: 0 to 3. */
    attempt: number;
    /** Planned time of the next payment, ISO 8601; null if there will be none. */
    next_payment_at: string | null;
    /** The reason as a code of ours; null for `renewed`, `changed`, `paused` and `resumed`. */
    reason: 'declined' | 'refused' | 'billing_key_not_active' | 'order_closed' | 'cancelled' | null;
  };
};

/**
 * One event per change of a card that is stored at the service. There is none for a card that expires soon: no record
 * of the service has an expiry (§2.3), and the one that a member types in is sent to the service and kept nowhere.
 */
export type CardEvent = {
  /** `card:{customer_uid}:{version}`. */
  id: string;
  /** `replaced`: another card, under the same customer_uid (§1). */
  type: 'card.registered' | 'card.replaced' | 'card.removed';
  timestamp: string;
  data: {
    customer_uid: string;
    /** Null if the member was erased. */
    member_id: string | null;
    /** The card's version after the change. */
    version: number;
    /** The card company; null if the service has not named it. */
    card_name: string | null;
    /** Masked, as on the member's page; null if it is not known, and in all events of a card but the newest. */
    card_number: string | null;
  };
};

/**
 * Once for each schedule whose order is paid, refunded in full or closed, and that the service has not revoked. It is
 * tried again. A person can revoke it in the service's console before `schedule_at`; what is taken all the same is a
 * discrepancy that can be refunded.
 */
export type ScheduleEvent = {
  /** `{merchant_uid}:{version}`, among the events of the order. */
  id: string;
  type: 'schedule.not_revoked';
  timestamp: string;
  data: {
    merchant_uid: string;
    /** Of the order, which this event does not change. */
    status: OrderStatus;
    version: number;
    amount: number;
    currency: string;
    /** Null if the order names no member, or the member was erased. */
    member_id: string | null;
    customer_uid: string | null;
    /** An id of `GET /api/charges`. */
    charge_id: string;
    /** When the service takes the money, ISO 8601. */
    schedule_at: string | null;
    /** Why the first try failed, as a code: `refused`, or the kind of error of the call. */
    reason: string;
    /** The subscription whose cycle the order pays for; null if there is none. */
    subscription_id: string | null;
  };
};

export type ShopEvent = OrderEvent | SubscriptionEvent | CardEvent | ScheduleEvent;
