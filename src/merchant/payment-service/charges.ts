// Calls that take money, with a card or a stored key (§4.3, §4.9). None is ever sent twice, except after a 401, which
// proves that nothing was done. `code` 0 means that the request was processed; `status` tells whether money moved.

import { toCardFields, type KeyInCard } from './billing-keys';
import { readPaymentOf, type PaymentRecord } from './records/payment-record';
import { call, type Connection } from './transport/client';

/** The buyer, as shown by the service on receipts and pages (§2.4, buyer_*). */
export type Buyer = {
  name?: string | undefined;
  email?: string | undefined;
  tel?: string | undefined;
  addr?: string | undefined;
  postcode?: string | undefined;
};

type ChargeOptions = {
  /** A positive integer in the service's unit: won for KRW. */
  amount: number;
  merchantUid: string;
  buyer?: Buyer | undefined;
  /** Months: 0 for a single payment, or 2 and more. */
  cardQuota?: number | undefined;
  taxFree?: number | undefined;
  customData?: string | undefined;
};

export type OnetimeCharge = ChargeOptions & {
  card: KeyInCard;
  /** If set, a key is stored under it; otherwise nothing is stored. */
  customerUid?: string | undefined;
  pg?: string | undefined;
  name?: string | undefined;
};

export type AgainCharge = ChargeOptions & {
  customerUid: string;
  name: string;
  currency?: string | undefined;
};

export function chargeOperations(connection: Connection) {
  return {
    /** §4.3, key-in payment. */
    async payOnetime({ card, customerUid, pg, ...charge }: OnetimeCharge): Promise<PaymentRecord> {
      const response = await call(connection, {
        method: 'POST',
        path: '/subscribe/payments/onetime',
        body: { ...toChargeFields(charge), ...toCardFields(card), customer_uid: customerUid, pg },
      });
      return readPaymentOf(response, charge.merchantUid);
    },

    /** §4.9. Pays with a stored billing key. */
    async payAgain({ customerUid, currency, ...charge }: AgainCharge): Promise<PaymentRecord> {
      const response = await call(connection, {
        method: 'POST',
        path: '/subscribe/payments/again',
        body: { ...toChargeFields(charge), customer_uid: customerUid, currency },
      });
      return readPaymentOf(response, charge.merchantUid);
    },
  };
}

/** The fields common to every charge and scheduled payment, under the service's names. */
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
  };
}
