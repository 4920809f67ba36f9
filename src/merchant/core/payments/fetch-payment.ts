// Fetches what the service says about a reported payment. Nothing else proves that a payment was made.

import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { Context } from '../../platform/context';

/**
 * Which payment, for which order, as reported by a notification, a list of the service or a person. We look the ids up
 * and trust nothing else.
 */
export type ReportedIds = {
  /** svc_uid, or tx_id of the newer generation. */
  svcUid: string;
  /** merchant_uid, or payment_id of the newer generation. */
  merchantUid: string;
  /** The interface generation to ask (§9); absent means legacy. */
  generation?: 'legacy' | 'newer' | undefined;
  /**
   * True if only a visitor of a page reports it, who can invent ids. The fetch then uses its own channel, and nothing is
   * stored if the service contradicts the report.
   */
  isVisitors?: boolean | undefined;
};

/**
 * The record of §4.4, or of the newer generation (§9). Returns null if the service knows no such payment.
 * @throws ServiceError if the service could not be asked
 */
export function fetchPayment(context: Context, reported: ReportedIds): Promise<PaymentRecord | null> {
  // The newer generation finds a payment by its payment_id, which is the order's id (§9).
  return reported.generation === 'newer'
    ? context.service.findNewerPayment(reported.merchantUid)
    : context.service.findPayment(reported.svcUid, { channel: reported.isVisitors ? 'visitors' : undefined });
}
