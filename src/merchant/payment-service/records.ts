// The records of §2.3, §2.4 and §2.5 as the merchant knows them.
import type { JsonObject } from './raw-record';

/** `unknown` stands for a status that the document does not name: never to be taken for one that it does. */
export type PaymentStatus = 'ready' | 'paid' | 'cancelled' | 'failed' | 'unknown';

/** §2.4. A partial cancellation is `cancelled` with `cancelAmount` below `amount`: decide by amounts. */
export type PaymentRecord = {
  /** In the newer generation the id of the primary transaction. */
  svcUid: string;
  /** Newer generation: ids of the payment's other transactions, such as failed attempts before it; else empty. */
  otherSvcUids: readonly string[];
  /** In the newer generation the payment id. */
  merchantUid: string;
  status: PaymentStatus;
  /** The status as the service spells it. */
  rawStatus: string;
  amount: number;
  cancelAmount: number;
  /** Null where the service names none. */
  currency: string | null;
  cancelHistory: CancelEntry[];
  payMethod: string | null;
  pgProvider: string | null;
  pgTid: string | null;
  applyNum: string | null;
  cardName: string | null;
  /** At most the first six and the last four digits. */
  cardNumber: string | null;
  customerUid: string | null;
  name: string | null;
  failReason: string | null;
  cancelReason: string | null;
  receiptUrl: string | null;
  startedAt: Date | null;
  paidAt: Date | null;
  failedAt: Date | null;
  cancelledAt: Date | null;
  /** The whole record under the document's own names, safe to store; made when it is asked for. */
  readonly raw: JsonObject;
};

/** One cancellation (§2.4, PaymentCancelAnnotation). `amount` is null where it cannot be read. */
export type CancelEntry = {
  pgTid: string | null;
  amount: number | null;
  cancelledAt: Date | null;
  reason: string | null;
  receiptUrl: string | null;
};

/** §2.3 */
export type BillingKeyRecord = {
  customerUid: string;
  pgProvider: string | null;
  pgId: string | null;
  cardName: string | null;
  cardCode: string | null;
  /** At most the first six and the last four digits. */
  cardNumber: string | null;
  cardType: string | null;
  insertedAt: Date | null;
  /** On the service's clock: moves when the key is replaced (§1). */
  updatedAt: Date | null;
  readonly raw: JsonObject;
};

/** §2.5 */
export type ScheduleRecord = {
  customerUid: string | null;
  merchantUid: string;
  /** Null while there is no payment. */
  svcUid: string | null;
  scheduleAt: Date | null;
  executedAt: Date | null;
  revokedAt: Date | null;
  amount: number;
  currency: string | null;
  name: string | null;
  status: 'scheduled' | 'executed' | 'revoked' | 'unknown';
  /** Null while it has not been executed. */
  paymentStatus: PaymentStatus | null;
  failReason: string | null;
  readonly raw: JsonObject;
};

/** One page. `previous` and `next` are page numbers, 0 for none. */
export type Page<T> = {
  total: number;
  previous: number;
  next: number;
  list: T[];
  /**
   * Records on this page that lack what we rely on, by svc_uid (null where even that is missing): one bad record must
   * not hide the others from a sweep.
   */
  unreadable: (string | null)[];
};
