// Records the answers that the clients got. Acknowledged actions must be in the books at the end; actions without an answer may
// be there, once.

export type Ledger = {
  /** merchant_uid of orders with the answer 200 or 201. */
  orders: Set<string>;
  /** By svc_uid: the number of notifications answered with 200. */
  notified: Map<string, number>;
  /** merchant_uid of orders whose charge was answered 200. */
  charged: Set<string>;
  /** By svc_uid: the requested refund, and whether it was answered with 200. */
  refunds: Map<string, { amount: number; isAcknowledged: boolean }>;
  /** By customer_uid: the last acknowledged state of the card; null if a card was sent and not answered. */
  cards: Map<string, 'registered' | 'removed' | null>;
  /** The same for schedules, by merchant_uid. */
  schedules: Map<string, 'scheduled' | 'revoked' | null>;
  /** Answers that no client may get. */
  strange: string[];
  /** Answers by kind of request and status; `none` if the connection broke. */
  answers: Map<string, number>;
  /** The duration of each answer in milliseconds. A reader empties the list. */
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
