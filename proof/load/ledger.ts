// What the clients were told: what was acknowledged has to be in the books at the end, and what was only
// asked for may be there once.

export type Ledger = {
  /** merchant_uid of orders with the answer 200 or 201. */
  orders: Set<string>;
  /** How often a notification of a payment was answered 200, by svc_uid. */
  notified: Map<string, number>;
  /** merchant_uid of orders whose charge was answered 200. */
  charged: Set<string>;
  /** What was asked for, by svc_uid, and whether it was answered 200. */
  refunds: Map<string, { amount: number; isAcknowledged: boolean }>;
  /** Cards by customer_uid. The last that was acknowledged; null where a card was sent and no answer came. */
  cards: Map<string, 'registered' | 'removed' | null>;
  /** Schedules by merchant_uid, in the same way. */
  schedules: Map<string, 'scheduled' | 'revoked' | null>;
  /** What a client saw that no client may see. */
  strange: string[];
  /** Answers by kind of request and status; `none` where the connection broke. */
  answers: Map<string, number>;
  /** How long each answer took, in milliseconds. Who reads them takes them away. */
  durationsMs: number[];
};

export function createLedger(): Ledger {
  return {
    orders: new Set(),
    notified: new Map(),
    charged: new Set(),
    refunds: new Map(),
    cards: new Map(),
    schedules: new Map(),
    strange: [],
    answers: new Map(),
    durationsMs: [],
  };
}
