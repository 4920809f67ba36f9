// The call that gives money back (§4.9). It is never sent twice, except after a 401, which says that nothing was done.

import { readPaymentOf, type PaymentRecord } from './records/payment-record';
import { call, type Connection } from './transport/call';

export type Cancellation = ({ svcUid: string } | { merchantUid: string }) & {
  /** Absent: all that is left. */
  amount?: number | undefined;
  /** The balance that we believe can still be cancelled: another balance at the service aborts. */
  checksum?: number | undefined;
  reason?: string | undefined;
  /** For payments that were paid into a virtual account. */
  refund?: { holder: string; bank: string; account: string } | undefined;
};

export function refundOperations(connection: Connection) {
  return {
    /** Cancels a payment, in whole or in part. The record that it returns says how much is cancelled by now. */
    async cancelPayment(cancellation: Cancellation): Promise<PaymentRecord> {
      const { amount, checksum, reason, refund } = cancellation;
      const target =
        'svcUid' in cancellation
          ? { svc_uid: cancellation.svcUid }
          : { merchant_uid: cancellation.merchantUid };
      const response = await call(connection, {
        method: 'POST',
        path: '/payments/cancel',
        body: {
          ...target,
          amount,
          checksum,
          reason,
          refund_holder: refund?.holder,
          refund_bank: refund?.bank,
          refund_account: refund?.account,
        },
      });
      return readPaymentOf(response, cancellation);
    },
  };
}
