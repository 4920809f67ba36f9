// Calls that move money: pay with a card or a stored key, cancel (§4.3, §4.9). None is ever sent twice, except after a
// 401, which says that nothing was done. `code` 0 says that the request was processed: `status` says whether money moved.
import type { CardInput } from './billing-keys';
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
  card: Pick<CardInput, 'cardNumber' | 'expiry'> & { [Name in 'birth' | 'pwd2digit']?: string | undefined };
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
