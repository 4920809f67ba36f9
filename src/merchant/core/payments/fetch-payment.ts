// The fetch: what the service itself says about a claimed payment. Nothing else proves that a payment was made.

import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { Context } from '../../platform/context';
import type { Claim } from './claim';

/**
 * The record of §4.4, or of the newer generation (§9). Returns null if the service knows no such payment.
 * @throws ServiceError where the service could not be asked
 */
export function fetchPayment(context: Context, claim: Claim): Promise<PaymentRecord | null> {
  // The newer generation looks a payment up by its payment_id, which is the order's id (§9).
  return claim.generation === 'newer'
    ? context.service.findNewerPayment(claim.merchantUid)
    : context.service.findPayment(claim.svcUid, { line: claim.visitor && 'visitors' });
}
