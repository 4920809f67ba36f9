// The payment record of §2.4, for both interface generations.

import { z } from 'zod';
import { isCustomerUid, isMerchantUid, isSvcUid } from '../identifiers';
import {
  amount,
  amountOrZero,
  code,
  currency,
  identifier,
  link,
  maskedCardNumber,
  optionalIdentifier,
  readEntry,
  readRecord,
  recordTable,
  text,
  timestamp,
  type FieldsOf,
  type RecordOf,
  type ServiceResponse,
} from './record-fields';

/** `unknown` stands for a status that the document does not name. It is never taken for one that the document names. */
export type PaymentStatus = 'ready' | 'paid' | 'cancelled' | 'failed' | 'unknown';

const STATUSES = new Map<string, PaymentStatus>([
  ['ready', 'ready'],
  ['virtualaccountissued', 'ready'], // the newer generation's word for it (§3)
  ['paid', 'paid'],
  ['cancelled', 'cancelled'],
  ['failed', 'failed'],
]);

/** One cancellation (§2.4, PaymentCancelAnnotation). */
const cancelEntryTable = recordTable({
  pgTid: ['pg_tid', code(64)],
  /** Null where it cannot be read. */
  amount: ['amount', amount.nullable().catch(null)],
  cancelledAt: ['cancelled_at', timestamp],
  reason: ['reason', text(256)],
  receiptUrl: ['receipt_url', link],
});
export type CancelEntry = FieldsOf<typeof cancelEntryTable>;

const paymentTable = recordTable({
  /** In the newer generation the id of the primary transaction. */
  svcUid: ['svc_uid', identifier(isSvcUid)],
  /** In the newer generation the payment id. */
  merchantUid: ['merchant_uid', identifier(isMerchantUid)],
  status: ['status', z.string().min(1).transform(toPaymentStatus)],
  amount: ['amount', amount],
  cancelAmount: ['cancel_amount', amountOrZero],
  /** Null where the service names none. */
  currency: ['currency', currency],
  cancelHistory: ['cancel_history', z.transform(readCancelHistory)],
  payMethod: ['pay_method', text(32)],
  pgProvider: ['pg_provider', text(32)],
  pgTid: ['pg_tid', code(64)],
  applyNum: ['apply_num', code(20)],
  cardName: ['card_name', text(64)],
  /** At most the first six and the last four digits. */
  cardNumber: ['card_number', maskedCardNumber],
  customerUid: ['customer_uid', optionalIdentifier(isCustomerUid, 80)],
  name: ['name', text(255)],
  failReason: ['fail_reason', text(500)],
  cancelReason: ['cancel_reason', text(256)],
  receiptUrl: ['receipt_url', link],
  startedAt: ['started_at', timestamp],
  paidAt: ['paid_at', timestamp],
  failedAt: ['failed_at', timestamp],
  cancelledAt: ['cancelled_at', timestamp],
});

/** §2.4. A partial cancellation is `cancelled` with `cancelAmount` below `amount`: decide by amounts. */
export type PaymentRecord = RecordOf<typeof paymentTable> & {
  /** Newer generation: ids of the payment's other transactions, such as failed attempts before it; else empty. */
  otherSvcUids: readonly string[];
};

/**
 * @param more for the newer generation: its other svc_uids, and what `raw` is made of
 * @throws ServiceError `bad_answer` where something that we rely on is missing or odd: such a record is neither believed
 *   nor called a mismatch
 */
export function readPayment(
  response: ServiceResponse,
  more: { otherSvcUids?: readonly string[]; source?: unknown } = {},
): PaymentRecord {
  const { otherSvcUids = [], source } = more;
  return Object.assign(readRecord(paymentTable, response, source), { otherSvcUids });
}

/** As `readPayment`, where one payment was requested: another one is an invalid response. */
export function readPaymentOf(
  response: ServiceResponse,
  requested: { svcUid: string } | { merchantUid: string },
): PaymentRecord {
  const payment = readPayment(response);
  const same =
    'svcUid' in requested
      ? payment.svcUid === requested.svcUid
      : payment.merchantUid === requested.merchantUid;
  if (!same) throw response.invalidResponse('the answer is about another payment');
  return payment;
}

/** Statuses are compared without regard to case or `_` (§6.2: the examples write PAID, VIRTUAL_ACCOUNT_ISSUED). */
export function toPaymentStatus(word: string): PaymentStatus {
  const plain = word.toLowerCase().replaceAll('_', '');
  return STATUSES.get(plain) ?? 'unknown';
}

function readCancelHistory(history: unknown): CancelEntry[] {
  if (!Array.isArray(history)) return [];
  return history.map((entry) => readEntry(cancelEntryTable, entry)).filter((entry) => entry !== null);
}
