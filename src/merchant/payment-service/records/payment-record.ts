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
  readFields,
  readRecord,
  recordTable,
  shownAmount,
  shownAmountOrZero,
  text,
  timestamp,
  type FieldsOf,
  type RecordOf,
  type ServiceResponse,
} from './record-fields';
import { LONGEST_SHOWN_ID } from './shown-record';

/** Of a payment (§2.4). */
export const PAYMENT_STATUSES = ['ready', 'paid', 'cancelled', 'failed'] as const;
export type KnownPaymentStatus = (typeof PAYMENT_STATUSES)[number];
/** `unknown` is any status that the document does not name. It is never treated as one of the others. */
export type PaymentStatus = KnownPaymentStatus | 'unknown';

/** The newer generation's other statuses (§3, §6.2, and its published client). */
const NEWER_STATUSES = new Map<string, PaymentStatus>([
  ['virtualaccountissued', 'ready'],
  ['paypending', 'ready'],
  ['pending', 'ready'],
  ['partialcancelled', 'cancelled'],
]);

/** One cancellation (§2.4, PaymentCancelAnnotation). */
const cancelEntryTable = recordTable({
  pgTid: ['pg_tid', code(64)],
  /** Null if unreadable. */
  amount: ['amount', amount.nullable().catch(null)],
  cancelledAt: ['cancelled_at', timestamp],
  reason: ['reason', text(256)],
  receiptUrl: ['receipt_url', link],
});
export type CancelEntry = FieldsOf<typeof cancelEntryTable>;

/**
 * The fields that decide the state of an order. All but the currency are strict, so that a record read here can be read
 * in full.
 */
const stateFields = {
  /** In the newer generation, the id of the primary transaction. */
  svcUid: ['svc_uid', identifier(isSvcUid)],
  /** In the newer generation, the payment id. */
  merchantUid: ['merchant_uid', identifier(isMerchantUid)],
  status: ['status', z.string().min(1).transform(toPaymentStatus)],
  amount: ['amount', amount],
  cancelAmount: ['cancel_amount', amountOrZero],
  /** Null if the service names none. */
  currency: ['currency', currency],
} as const;
const stateTable = recordTable(stateFields);

/** The fields of a payment (§2.4) that decide the state of an order. */
export type PaymentState = FieldsOf<typeof stateTable>;

/** All others. They are read leniently. */
const otherFields = {
  cancelHistory: ['cancel_history', z.transform(readCancelHistory)],
  payMethod: ['pay_method', text(32)],
  pgProvider: ['pg_provider', text(32)],
  pgTid: ['pg_tid', code(64)],
  applyNum: ['apply_num', code(20)],
  cardName: ['card_name', text(64)],
  /** At most the first six and the last four digits. */
  cardNumber: ['card_number', maskedCardNumber],
  customerUid: ['customer_uid', optionalIdentifier(isCustomerUid, 80)],
  /** `issue`: the payment has issued the key. */
  customerUidUsage: ['customer_uid_usage', text(32)],
  name: ['name', text(255)],
  failReason: ['fail_reason', text(500)],
  cancelReason: ['cancel_reason', text(256)],
  receiptUrl: ['receipt_url', link],
  startedAt: ['started_at', timestamp],
  paidAt: ['paid_at', timestamp],
  failedAt: ['failed_at', timestamp],
  cancelledAt: ['cancelled_at', timestamp],
  /** The virtual account that the buyer pays into (§2.4): bank, number, holder, and deadline. */
  vbankCode: ['vbank_code', code(16)],
  vbankName: ['vbank_name', text(64)],
  vbankNum: ['vbank_num', code(32)],
  vbankHolder: ['vbank_holder', text(64)],
  vbankDate: ['vbank_date', timestamp],
  /** Whether the payment was made over a test channel, so that no money moved. Null if the record does not say. */
  isTest: ['sandbox', z.transform(toIsTest)],
} as const;

const paymentTable = recordTable({ ...stateFields, ...otherFields });

/** §2.4. A partial cancellation is `cancelled` with `cancelAmount` below `amount`: decide by amounts. */
export type PaymentRecord = RecordOf<typeof paymentTable> & {
  /** Newer generation: ids of the payment's other transactions, such as earlier failed tries; else empty. */
  otherSvcUids: readonly string[];
};

/**
 * @param otherSvcUids for the newer generation: ids of the payment's other transactions
 * @throws ServiceError `bad_answer` if a field that we rely on is missing or malformed: such a record is neither
 * trusted nor called a mismatch
 */
export function readPayment(response: ServiceResponse, otherSvcUids: readonly string[] = []): PaymentRecord {
  return Object.assign(readRecord(paymentTable, response), { otherSvcUids });
}

const shownPaymentTable = recordTable({
  ...otherFields,
  svcUid: ['svc_uid', identifier(isSvcUid)],
  /** As shown: it may be no id that a request can carry. */
  merchantUid: ['merchant_uid', code(LONGEST_SHOWN_ID)],
  status: ['status', z.transform((word) => toPaymentStatus(typeof word === 'string' ? word : ''))],
  amount: ['amount', shownAmount],
  cancelAmount: ['cancel_amount', shownAmountOrZero],
  currency: ['currency', currency],
});

/**
 * A payment whose record may not be as described: what cannot be read is null, and an amount can have a fraction. For
 * people and for refunds; a payment is verified and stored by its `PaymentRecord`.
 */
export type ShownPayment = RecordOf<typeof shownPaymentTable>;

/** @throws ServiceError `bad_answer` if the record has no svc_uid */
export function readShownPayment(response: ServiceResponse): ShownPayment {
  return readRecord(shownPaymentTable, response);
}

/**
 * Reads only the fields that a comparison needs: reading all costs ten times as much, and most payments of a list are
 * unchanged. Fails exactly when `readPayment` fails.
 * @throws ServiceError `bad_answer`
 */
export function readPaymentState(response: ServiceResponse): PaymentState {
  return readFields(stateTable, response);
}

/** Like `readPayment`, for a payment of one order: that of another is an invalid response. */
export function readPaymentOf(response: ServiceResponse, merchantUid: string): PaymentRecord {
  const payment = readPayment(response);
  if (payment.merchantUid !== merchantUid)
    throw response.invalidResponse('the answer is about another payment');
  return payment;
}

/** Statuses are compared ignoring case and `_` (§6.2: the examples have PAID, VIRTUAL_ACCOUNT_ISSUED). */
export function toPaymentStatus(word: string): PaymentStatus {
  const plain = word.toLowerCase().replaceAll('_', '');
  return PAYMENT_STATUSES.find((status) => status === plain) ?? NEWER_STATUSES.get(plain) ?? 'unknown';
}

/** Any value that is neither absent nor clearly "no" counts as a test channel, so that money is never assumed. */
function toIsTest(value: unknown): boolean | null {
  if (value === undefined || value === null || value === '') return null;
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  return ![false, 'false', 0, '0'].some((no) => no === word);
}

function readCancelHistory(history: unknown): CancelEntry[] {
  if (!Array.isArray(history)) return [];
  return history.map((entry) => readEntry(cancelEntryTable, entry)).filter((entry) => entry !== null);
}
