// The records of §2.3, §2.4 and §2.5 as the merchant knows them. Readers throw a `bad_answer` fault where something we
// rely on is missing or odd: such an answer is neither believed nor called a mismatch.
import { z } from 'zod';
import type { ServiceFault } from '../errors';
import { isCustomerUid, isMerchantUid, isSvcUid } from './identifiers';
import { toRawRecord, type JsonObject } from './raw-record';
import {
  amount,
  amountOrZero,
  code,
  currency,
  link,
  maskedCardNumber,
  text,
  timestamp,
} from './record-fields';

/** `unknown` stands for a status that the document does not name: never to be taken for one that it does. */
export type PaymentStatus = 'ready' | 'paid' | 'cancelled' | 'failed' | 'unknown';

/** §2.4. A partial cancellation is `cancelled` with `cancelAmount` below `amount`: decide by amounts. */
export type PaymentRecord = {
  /** In the newer generation the id of the primary transaction. */
  svcUid: string;
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

/** Makes the fault for what is wrong with an answer. */
export type BadAnswer = (detail: string) => ServiceFault;

const paymentSchema = z.object({
  svc_uid: z.string().refine(isSvcUid),
  merchant_uid: z.string().refine(isMerchantUid),
  status: z.string().min(1),
  amount,
  cancel_amount: amountOrZero,
  currency,
  cancel_history: z.unknown(),
  pay_method: text(32),
  pg_provider: text(32),
  pg_tid: code(64),
  apply_num: code(20),
  card_name: text(64),
  card_number: maskedCardNumber,
  customer_uid: code(80),
  name: text(255),
  fail_reason: text(500),
  cancel_reason: text(256),
  receipt_url: link,
  started_at: timestamp,
  paid_at: timestamp,
  failed_at: timestamp,
  cancelled_at: timestamp,
});

/** @param source what `raw` is made of, where that is more than the payload */
export function readPayment(payload: unknown, bad: BadAnswer, source = payload): PaymentRecord {
  const fields = check(paymentSchema, payload, bad);
  return {
    svcUid: fields.svc_uid,
    merchantUid: fields.merchant_uid,
    status: toPaymentStatus(fields.status),
    rawStatus: toRawStatus(fields.status),
    amount: fields.amount,
    cancelAmount: fields.cancel_amount,
    currency: fields.currency,
    cancelHistory: readCancelHistory(fields.cancel_history),
    payMethod: fields.pay_method,
    pgProvider: fields.pg_provider,
    pgTid: fields.pg_tid,
    applyNum: fields.apply_num,
    cardName: fields.card_name,
    cardNumber: fields.card_number,
    customerUid: isCustomerUid(fields.customer_uid) ? fields.customer_uid : null,
    name: fields.name,
    failReason: fields.fail_reason,
    cancelReason: fields.cancel_reason,
    receiptUrl: fields.receipt_url,
    startedAt: fields.started_at,
    paidAt: fields.paid_at,
    failedAt: fields.failed_at,
    cancelledAt: fields.cancelled_at,
    get raw() {
      return toRawRecord(source as object);
    },
  };
}

const STATUSES: Record<string, PaymentStatus> = {
  ready: 'ready',
  virtualaccountissued: 'ready', // the newer generation's word for it (§3)
  paid: 'paid',
  cancelled: 'cancelled',
  failed: 'failed',
};

/** Statuses are compared without regard to case or `_` (§6.2: the examples write PAID, VIRTUAL_ACCOUNT_ISSUED). */
export function toPaymentStatus(word: string): PaymentStatus {
  const plain = word.toLowerCase().replaceAll('_', '');
  return Object.hasOwn(STATUSES, plain) ? (STATUSES[plain] ?? 'unknown') : 'unknown';
}

const rawStatus = text(64);
export function toRawStatus(word: string): string {
  return rawStatus.parse(word) ?? '';
}

const cancelEntrySchema = z.object({
  pg_tid: code(64),
  amount: amount.nullable().catch(null),
  cancelled_at: timestamp,
  reason: text(256),
  receipt_url: link,
});

function readCancelHistory(history: unknown): CancelEntry[] {
  if (!Array.isArray(history)) return [];
  return history.flatMap((entry) => {
    const parsed = cancelEntrySchema.safeParse(entry);
    if (!parsed.success) return [];
    const { pg_tid, amount, cancelled_at, reason, receipt_url } = parsed.data;
    return [{ pgTid: pg_tid, amount, cancelledAt: cancelled_at, reason, receiptUrl: receipt_url }];
  });
}

const billingKeySchema = z.object({
  customer_uid: z.string().refine(isCustomerUid),
  pg_provider: text(16),
  pg_id: code(80),
  card_name: text(64),
  card_code: code(16),
  card_number: maskedCardNumber,
  card_type: code(8),
  inserted: timestamp,
  updated: timestamp,
});

export function readBillingKey(payload: unknown, bad: BadAnswer): BillingKeyRecord {
  const fields = check(billingKeySchema, payload, bad);
  return {
    customerUid: fields.customer_uid,
    pgProvider: fields.pg_provider,
    pgId: fields.pg_id,
    cardName: fields.card_name,
    cardCode: fields.card_code,
    cardNumber: fields.card_number,
    cardType: fields.card_type,
    insertedAt: fields.inserted,
    updatedAt: fields.updated,
    get raw() {
      return toRawRecord(payload as object);
    },
  };
}

const scheduleSchema = z.object({
  customer_uid: code(80),
  merchant_uid: z.string().refine(isMerchantUid),
  svc_uid: code(65),
  schedule_at: timestamp,
  executed_at: timestamp,
  revoked_at: timestamp,
  amount,
  currency,
  name: text(255),
  schedule_status: z.string(),
  payment_status: z.string().nullish(),
  fail_reason: text(500),
});

export function readSchedule(payload: unknown, bad: BadAnswer): ScheduleRecord {
  const fields = check(scheduleSchema, payload, bad);
  return {
    customerUid: isCustomerUid(fields.customer_uid) ? fields.customer_uid : null,
    merchantUid: fields.merchant_uid,
    svcUid: isSvcUid(fields.svc_uid) ? fields.svc_uid : null,
    scheduleAt: fields.schedule_at,
    executedAt: fields.executed_at,
    revokedAt: fields.revoked_at,
    amount: fields.amount,
    currency: fields.currency,
    name: fields.name,
    status: toScheduleStatus(fields.schedule_status),
    paymentStatus: fields.payment_status ? toPaymentStatus(fields.payment_status) : null,
    failReason: fields.fail_reason,
    get raw() {
      return toRawRecord(payload as object);
    },
  };
}

function toScheduleStatus(word: string): ScheduleRecord['status'] {
  return word === 'scheduled' || word === 'executed' || word === 'revoked' ? word : 'unknown';
}

/** Names the first field that is not as described, and nothing of its content. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  payload: unknown,
  bad: BadAnswer,
): z.output<Schema> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.join('.') ?? '';
  throw bad(path === '' ? 'the record is no object' : `${path} is missing or not as described`);
}
