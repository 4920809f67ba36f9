// A payment record as it comes (§2.4). Readers throw a `bad_answer` fault where something we rely on is missing or odd:
// such an answer is neither believed nor called a mismatch.
import { z } from 'zod';
import { check, type BadAnswer } from './check';
import { isCustomerUid, isMerchantUid, isSvcUid } from './identifiers';
import { toRawRecord } from './raw-record';
import {
  amount,
  amountOrZero,
  anything,
  code,
  currency,
  link,
  maskedCardNumber,
  text,
  timestamp,
} from './record-fields';
import type { CancelEntry, PaymentRecord, PaymentStatus } from './records';

const paymentSchema = z.object({
  svc_uid: z.string().refine(isSvcUid),
  merchant_uid: z.string().refine(isMerchantUid),
  status: z.string().min(1),
  amount,
  cancel_amount: amountOrZero,
  currency,
  cancel_history: anything,
  pay_method: text(32),
  pg_provider: text(32),
  pg_tid: code(64),
  apply_num: code(20),
  card_name: text(64),
  card_number: maskedCardNumber,
  customer_uid: code(81), // one too long is none, not another one
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
    otherSvcUids: [],
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
