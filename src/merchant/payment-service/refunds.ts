// The call that refunds a payment (§4.9). It is never sent twice, except after a 401, which proves that nothing was
// done.

import { readShownPayment, type ShownPayment } from './records/payment-record';
import { call, type Connection } from './transport/client';

/**
 * The account that a deposit is refunded to (§4.9). It is sent and not kept: no error, log or record holds any of it.
 */
export type RefundAccount = {
  holder: string;
  /** Bank code (§2.4). */
  bank: string;
  account: string;
  /** Required by some providers. */
  tel?: string | undefined;
};

export type Cancellation = {
  svcUid: string;
  /** Default: the whole refundable balance. */
  amount?: number | undefined;
  /** The tax-free part of the amount. */
  taxFree?: number | undefined;
  /** The refundable balance that we expect: the service refuses the call if its own differs. */
  checksum?: number | undefined;
  reason?: string | undefined;
  /** Required for payments into a virtual account: the service refuses them without it. */
  refundAccount?: RefundAccount | undefined;
};

export function refundOperations(connection: Connection) {
  return {
    /**
     * Cancels a payment, in full or in part. The returned record has the total cancelled so far. It may not be as
     * described, because such a payment is refunded as well.
     */
    async cancelPayment(cancellation: Cancellation): Promise<ShownPayment> {
      const { svcUid, amount, taxFree, checksum, reason, refundAccount } = cancellation;
      const response = await call(connection, {
        method: 'POST',
        path: '/payments/cancel',
        body: {
          svc_uid: svcUid,
          amount,
          tax_free: taxFree,
          checksum,
          reason,
          refund_holder: refundAccount?.holder,
          refund_bank: refundAccount?.bank,
          refund_account: refundAccount?.account,
          refund_tel: refundAccount?.tel,
        },
        ...(refundAccount && { secrets: spellingsOf(refundAccount) }),
      });
      const payment = readShownPayment(response);
      if (payment.svcUid === svcUid) return payment;
      throw response.invalidResponse('the answer is about another payment');
    },
  };
}

/** A refusal may quote the request, and its message is stored with the refund: the account is removed from it. */
function spellingsOf({ holder, account, tel = '' }: RefundAccount): string[] {
  const numbers = [account, tel].flatMap((text) => [text, text.replace(/\D/g, '')]);
  return [...numbers, holder];
}
