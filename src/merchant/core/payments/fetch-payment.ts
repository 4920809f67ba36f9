// The fetch: what the service itself says about a claimed payment. Nothing else proves that a payment was made.

import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { Context } from '../../platform/context';

/**
 * What a notification, a list of the service or a person says to be so: which payment, for which order. The ids are
 * looked up; nothing else of a claim is believed.
 */
export type Claim = {
  /** svc_uid, or tx_id of the newer generation. */
  svcUid: string;
  /** merchant_uid, or payment_id of the newer generation. */
  merchantUid: string;
  /** The interface generation that is asked (§9); legacy where absent. */
  generation?: 'legacy' | 'newer' | undefined;
  /**
   * Whether only a visitor of a page claims it, who can invent ids. The payment is fetched over a line of its own, and a claim
   * that the service contradicts is noted nowhere.
   */
  isVisitors?: boolean | undefined;
};

/**
 * The record of §4.4, or of the newer generation (§9). Returns null if the service knows no such payment.
 * @throws ServiceError where the service could not be asked
 */
export function fetchPayment(context: Context, claim: Claim): Promise<PaymentRecord | null> {
  // The newer generation looks a payment up by its payment_id, which is the order's id (§9).
  return claim.generation === 'newer'
    ? context.service.findNewerPayment(claim.merchantUid)
    : context.service.findPayment(claim.svcUid, { line: claim.isVisitors ? 'visitors' : undefined });
}
