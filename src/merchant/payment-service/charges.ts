// Calls that move money: pay with a card or a stored key, cancel (§4.3, §4.9). None is ever sent twice, except after a
// 401, which says that nothing was done. `code` 0 says that the request was processed: `status` says whether money moved.
import { toCardFields, type CardInput, type OptionalCardFields } from './billing-keys';
import type { Call } from './call';
import type { Answer } from './exchange';
import { readPayment } from './read-payment';
import type { PaymentRecord } from './records';

/** Who buys, as the service shows it on receipts and pages (§2.4, buyer_*). */
export type Buyer = {
  name?: string | undefined;
  email?: string | undefined;
  tel?: string | undefined;
  addr?: string | undefined;
  postcode?: string | undefined;
};

type ChargeOptions = {
  /** A positive whole number in the unit that the service uses: won for KRW. */
  amount: number;
  merchantUid: string;
  buyer?: Buyer | undefined;
  /** Months: 0 for one-off, or 2 and more. */
  cardQuota?: number | undefined;
  taxFree?: number | undefined;
  customData?: string | undefined;
  /** Overrides the notification address of the admin console for this payment (§6.3). */
  noticeUrl?: string | undefined;
};

export type OnetimeCharge = ChargeOptions & {
  card: Pick<CardInput, 'cardNumber' | 'expiry'> & OptionalCardFields;
  /** Where it is given, the key is stored under it; otherwise nothing is stored. */
  customerUid?: string | undefined;
  pg?: string | undefined;
  name?: string | undefined;
};

export type AgainCharge = ChargeOptions & {
  customerUid: string;
  name: string;
  currency?: string | undefined;
};

export type Cancellation = ({ svcUid: string } | { merchantUid: string }) & {
  /** Absent: all that is left. */
  amount?: number | undefined;
  /** The balance that we believe can still be cancelled: another balance at the service aborts. */
  checksum?: number | undefined;
  reason?: string | undefined;
  /** For payments that were paid into a virtual account. */
  refund?: { holder: string; bank: string; account: string } | undefined;
};

export type ChargeOperations = {
  /** §4.3, key-in payment. */
  payOnetime(charge: OnetimeCharge): Promise<PaymentRecord>;
  /** Pays with a stored billing key. */
  payAgain(charge: AgainCharge): Promise<PaymentRecord>;
  cancelPayment(cancellation: Cancellation): Promise<PaymentRecord>;
};

export function createChargeOperations(call: Call): ChargeOperations {
  return {
    async payOnetime({ card, customerUid, pg, ...charge }) {
      const answer = await call({
        method: 'POST',
        path: '/subscribe/payments/onetime',
        body: { ...toChargeFields(charge), ...toCardFields(card), customer_uid: customerUid, pg },
      });
      return readPaymentOf(answer, { merchantUid: charge.merchantUid });
    },

    async payAgain({ customerUid, currency, ...charge }) {
      const answer = await call({
        method: 'POST',
        path: '/subscribe/payments/again',
        body: { ...toChargeFields(charge), customer_uid: customerUid, currency },
      });
      return readPaymentOf(answer, { merchantUid: charge.merchantUid });
    },

    async cancelPayment(cancellation) {
      const { amount, checksum, reason, refund } = cancellation;
      const target =
        'svcUid' in cancellation
          ? { svc_uid: cancellation.svcUid }
          : { merchant_uid: cancellation.merchantUid };
      const answer = await call({
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
      return readPaymentOf(answer, cancellation);
    },
  };
}

/** What every charge and every planned payment carries, under the wire's names. */
export function toChargeFields(charge: ChargeOptions & { name?: string | undefined }) {
  return {
    merchant_uid: charge.merchantUid,
    amount: charge.amount,
    name: charge.name,
    buyer_name: charge.buyer?.name,
    buyer_email: charge.buyer?.email,
    buyer_tel: charge.buyer?.tel,
    buyer_addr: charge.buyer?.addr,
    buyer_postcode: charge.buyer?.postcode,
    card_quota: charge.cardQuota,
    tax_free: charge.taxFree,
    custom_data: charge.customData,
    notice_url: charge.noticeUrl,
  };
}

function readPaymentOf(
  { payload, bad }: Answer,
  asked: { svcUid: string } | { merchantUid: string },
): PaymentRecord {
  const payment = readPayment(payload, bad);
  const same =
    'svcUid' in asked ? payment.svcUid === asked.svcUid : payment.merchantUid === asked.merchantUid;
  if (!same) throw bad('the answer is about another payment');
  return payment;
}
