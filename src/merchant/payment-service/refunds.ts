// The call that gives money back (§4.9). It is never sent twice, except after a 401, which says that nothing was done.

import { readPaymentOf, type PaymentRecord } from './records/payment-record';
import { call, type Connection } from './transport/client';

/** Where the money of a deposit goes back to (§4.9). It is sent and forgotten: no error, log or record holds any of it. */
export type RefundAccount = {
  holder: string;
  /** Code of the bank (§2.4). */
  bank: string;
  account: string;
  /** Some providers ask for it. */
  tel?: string | undefined;
};

export type Cancellation = ({ svcUid: string } | { merchantUid: string }) & {
  /** Absent: all that is left. */
  amount?: number | undefined;
  /** The balance that we believe can still be cancelled: another balance at the service aborts. */
  checksum?: number | undefined;
  reason?: string | undefined;
  /** For payments that were paid into a virtual account: the service refuses them without it. */
  refundAccount?: RefundAccount | undefined;
};

export function refundOperations(connection: Connection) {
  return {
    /** Cancels a payment, in whole or in part. The record that it returns says how much is cancelled by now. */
    async cancelPayment(cancellation: Cancellation): Promise<PaymentRecord> {
      const { amount, checksum, reason, refundAccount } = cancellation;
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
          refund_holder: refundAccount?.holder,
          refund_bank: refundAccount?.bank,
          refund_account: refundAccount?.account,
          refund_tel: refundAccount?.tel,
        },
        ...(refundAccount && { secrets: spellingsOf(refundAccount) }),
      });
      return readPaymentOf(response, cancellation);
    },
  };
}

/** A refusal may repeat what it is about, and its message is stored with the refund: the account is taken out of it. */
function spellingsOf({ holder, account, tel = '' }: RefundAccount): string[] {
  const numbers = [account, tel].flatMap((text) => [text, text.replace(/\D/g, '')]);
  return [...numbers, holder];
}
