// Decides which fields of a fetched record are stored. Both interface generations show the same payment, and neither
// may wipe what the other has shown. After the member of an order is erased, no personal data is stored, although the
// service still shows the buyer. So every fetch passes through this file.

import { readPayment, type PaymentRecord } from '../../payment-service/records/payment-record';
import type { Json, JsonObject } from '../../payment-service/records/raw-record';
import { ServiceError } from '../../payment-service/records/service-error';
import type { ReportedIds } from './fetch-payment';

/** Fields that decide about money and identity. Their values always come from the fetch. */
const DECISIVE = ['svc_uid', 'merchant_uid', 'status', 'amount', 'cancel_amount', 'currency'];

/**
 * Merges what both generations show. The newer one shows no card, key or receipt (§9), and the legacy one may lack the
 * reason of a failure. If both report a payment in turn, its record does not change.
 * @param stored the record as it is stored, under the document's names
 * @param fetched the record as the service shows it now
 */
export function mergeRecord(
  stored: JsonObject,
  fetched: PaymentRecord,
  generation: ReportedIds['generation'],
): PaymentRecord {
  const { raw, otherSvcUids } = fetched;
  const isNewer = generation === 'newer';
  // A legacy record is complete. Once money has moved, fields that it no longer shows are gone.
  if (!isNewer && hasMoved(stored, raw)) return fetched;
  const shown = Object.entries(raw).filter(([, value]) => value !== null);
  // The newer generation only fills gaps; the legacy one also overwrites.
  const added = isNewer ? shown.filter(([name]) => (stored[name] ?? null) === null) : shown;
  const decisive = Object.entries(raw).filter(([name]) => DECISIVE.includes(name));
  const payload = { ...stored, ...Object.fromEntries([...added, ...decisive]) };
  // The newer generation shows no history (§9). If the cancelled amount differs, the stored history is incomplete.
  if (isNewer && stored['cancel_amount'] !== raw['cancel_amount']) delete payload['cancel_history'];
  return readPayment({ payload, invalidResponse: recordIsInvalid }, otherSvcUids);
}

function hasMoved(stored: JsonObject, fetched: JsonObject): boolean {
  return ['status', 'cancel_amount'].some((name) => stored[name] !== fetched[name]);
}

/**
 * Fields of §2.4 that are kept: ids, amounts, dates, states, and what identifies the payment at the service, the bank
 * or the card company. All others are removed, including fields that the service adds later, because they may be
 * personal.
 */
export const KEPT_FIELDS = new Set(
  (
    'svc_uid merchant_uid customer_uid customer_uid_usage status name amount cancel_amount currency pay_method channel ' +
    'pg_provider emb_pg_provider pg_tid pg_id apply_num escrow sandbox cash_receipt_issued bank_code bank_name card_code ' +
    'card_name card_quota card_type vbank_code vbank_name vbank_date vbank_issued_at started_at paid_at failed_at ' +
    'cancelled_at cancel_reason receipt_url cancel_receipt_urls cancel_history'
  ).split(' '),
);

/** Kept fields of each entry of `cancel_history`. */
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

/** A fetched record of an erased order, as it is verified and stored. */
export function keptRecord({ raw, otherSvcUids }: PaymentRecord): PaymentRecord {
  return readPayment({ payload: keptFields(raw), invalidResponse: recordIsInvalid }, otherSvcUids);
}

function keptHistory(history: Json): Json {
  if (!Array.isArray(history)) return null;
  return history.map((entry) => (isObject(entry) ? mapValues(only(KEPT_CANCEL_FIELDS, entry), plain) : null));
}

/** A kept field holds one value or a list of values. An object could contain anything, so it is removed. */
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
