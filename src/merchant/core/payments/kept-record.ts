// The record of a payment without anything personal: what of it is stored once the member of its order was erased. The
// service goes on showing the buyer in its own record, so that every later fetch has to pass through here as well.

import { readPayment, type PaymentRecord } from '../../payment-service/records/payment-record';
import type { Json, JsonObject } from '../../payment-service/records/raw-record';
import { ServiceError } from '../../platform/errors';

/**
 * Fields of §2.4 that stay: ids, amounts, dates, states, and what finds the payment at the service, the bank or the card
 * company. All others are left out, also those that the service adds one day: it need not say that one is personal.
 */
export const KEPT_FIELDS = new Set(
  (
    'svc_uid merchant_uid customer_uid customer_uid_usage status name amount cancel_amount currency pay_method channel ' +
    'pg_provider emb_pg_provider pg_tid pg_id apply_num escrow sandbox cash_receipt_issued bank_code bank_name card_code ' +
    'card_name card_quota card_type vbank_code vbank_name vbank_date vbank_issued_at started_at paid_at failed_at ' +
    'cancelled_at cancel_reason receipt_url cancel_receipt_urls cancel_history'
  ).split(' '),
);

/** Of each entry of `cancel_history`. */
export const KEPT_CANCEL_FIELDS = new Set(
  'pg_tid amount cancelled_at reason receipt_url cancellation_id'.split(' '),
);

/** @param record a whole record under the document's names, as it is stored */
export function keptFields(record: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(only(KEPT_FIELDS, record)).map(([name, value]) => [
      name,
      name === 'cancel_history' ? keptHistory(value) : plain(value),
    ]),
  );
}

/** A fetched record as it is judged and stored for an order that was erased. */
export function keptRecord({ raw, otherSvcUids }: PaymentRecord): PaymentRecord {
  return readPayment({ payload: keptFields(raw), invalidResponse: recordIsInvalid }, otherSvcUids);
}

function keptHistory(history: Json): Json {
  if (!Array.isArray(history)) return null;
  return history.map((entry) => (isObject(entry) ? mapValues(only(KEPT_CANCEL_FIELDS, entry), plain) : null));
}

/** A kept field holds one value, or a list of values: an object in its place could hold anything. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.filter((each) => typeof each !== 'object');
  return isObject(value) ? null : value;
}

function only(names: ReadonlySet<string>, record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));
}

function mapValues(record: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function recordIsInvalid(detail: string): ServiceError {
  return new ServiceError({ kind: 'bad_answer', method: 'GET', path: '/payments/{svc_uid}', detail });
}
