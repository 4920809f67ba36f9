// What the two interface generations show of one payment, together. The newer one shows neither card, key nor receipt
// (§9), and the legacy one may lack the reason of a failure: what one has shown is never wiped by the other, and a
// payment that both tell of in turn does not change.

import { readPayment, type PaymentRecord } from '../../payment-service/records/payment-record';
import type { JsonObject } from '../../payment-service/records/raw-record';
import { ServiceError } from '../../platform/errors';
import type { Claim } from './fetch-payment';

/** Fields that decide about money and identity: they are always those of the fetch. */
const DECISIVE = ['svc_uid', 'merchant_uid', 'status', 'amount', 'cancel_amount', 'currency'];

/**
 * @param stored the record as it is stored, under the document's names
 * @param fetched the record as the service shows it now
 */
export function mergeRecord(
  stored: JsonObject,
  fetched: PaymentRecord,
  generation: Claim['generation'],
): PaymentRecord {
  const { raw, otherSvcUids } = fetched;
  const isNewer = generation === 'newer';
  // A legacy record is complete: once money has moved, what it does not show any more is gone.
  if (!isNewer && hasMoved(stored, raw)) return fetched;
  const shown = Object.entries(raw).filter(([, value]) => value !== null);
  // The newer generation fills gaps; the legacy one corrects.
  const added = isNewer ? shown.filter(([name]) => (stored[name] ?? null) === null) : shown;
  const decisive = Object.entries(raw).filter(([name]) => DECISIVE.includes(name));
  const payload = { ...stored, ...Object.fromEntries([...added, ...decisive]) };
  // The newer generation shows no history (§9): of another sum, the stored one tells only a part.
  if (isNewer && stored['cancel_amount'] !== raw['cancel_amount']) delete payload['cancel_history'];
  return readPayment({ payload, invalidResponse: storedRecordIsInvalid }, otherSvcUids);
}

function hasMoved(stored: JsonObject, fetched: JsonObject): boolean {
  return ['status', 'cancel_amount'].some((name) => stored[name] !== fetched[name]);
}

function storedRecordIsInvalid(detail: string): ServiceError {
  return new ServiceError({ kind: 'bad_answer', method: 'GET', path: '/payments/{svc_uid}', detail });
}
